// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP
// RUN: ocl-opt %s -p ocl-to-wg | filecheck %s --check-prefix=GROUP

// What holds for every launch. The runtime refuses others.

// CHECK: ocl.kernel @row(%width: i32 {ocl.name = "width"}, %vs: i32 {ocl.name = "vs"}) attributes {assume = ["width >= 64 and 2*vs < width", "width % 8 = 0"]} {
// GROUP: wg.func @row({{.*}}) attributes {assume = ["width >= 64 and 2*vs < width", "width % 8 = 0"]} {
ocl.kernel @row(%width: i32 {ocl.name = "width"}, %vs: i32 {ocl.name = "vs"}) attributes {assume = ["width >= 64 and 2*vs < width", "width % 8 = 0"]} {
  ocl.return
}

// Sizes of the launch, several relations in a row, and C's signs.

// CHECK: ocl.kernel @sizes(%n: i64 {ocl.name = "n"}) attributes {assume = ["8 <= local_size0 <= 256 && global_size0 == n", "n != 3", "-2*(n - 1) < 3n"]} {
ocl.kernel @sizes(%n: i64 {ocl.name = "n"}) attributes {assume = ["8 <= local_size0 <= 256 && global_size0 == n", "n != 3", "-2*(n - 1) < 3n"]} {
  ocl.return
}
