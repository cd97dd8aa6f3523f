// RUN: OCL_INVALID

// CHECK: unknown integer argument 'wdth'; did you mean 'width'?
ocl.kernel @name(%width: i32 {ocl.name = "width"}) attributes {assume = ["wdth >= 64"]} {
  ocl.return
}

// -----

// CHECK: unknown integer argument 'a'
ocl.kernel @float(%a: f32 {ocl.name = "a"}) attributes {assume = ["a >= 1"]} {
  ocl.return
}

// -----

// CHECK: a product of two arguments is not affine
ocl.kernel @product(%n: i32 {ocl.name = "n"}, %m: i32 {ocl.name = "m"}) attributes {assume = ["n*m >= 1"]} {
  ocl.return
}

// -----

// CHECK: expected a comparison, got the end
ocl.kernel @value(%n: i32 {ocl.name = "n"}) attributes {assume = ["n + 1"]} {
  ocl.return
}

// -----

// CHECK: expected 'and' or the end, got 'or'
ocl.kernel @or(%n: i32 {ocl.name = "n"}) attributes {assume = ["n > 1 or n < 0"]} {
  ocl.return
}

// -----

// CHECK: unexpected '/'
ocl.kernel @quotient(%n: i32 {ocl.name = "n"}) attributes {assume = ["n / 2 > 1"]} {
  ocl.return
}

// -----

// CHECK: put the product before '%' in parentheses
ocl.kernel @remainder(%n: i32 {ocl.name = "n"}) attributes {assume = ["2*(3*n) * 5 % 2 = 0"]} {
  ocl.return
}

// -----

// CHECK: expected a positive number after '%', got 'n'
ocl.kernel @modulus(%n: i32 {ocl.name = "n"}) attributes {assume = ["8 % n = 0"]} {
  ocl.return
}
