// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

func.func @structs(%s: !ocl.struct<"pair", {x: f32, n: i32}>, %v: f32) {
  // CHECK: %0 = ocl.extract %s["n"] : !ocl.struct<"pair", {x: f32, n: i32}> -> i32
  %0 = ocl.extract %s["n"] : !ocl.struct<"pair", {x: f32, n: i32}> -> i32
  // CHECK-NEXT: %1 = ocl.insert %v, %s["x"] : f32, !ocl.struct<"pair", {x: f32, n: i32}>
  %1 = ocl.insert %v, %s["x"] : f32, !ocl.struct<"pair", {x: f32, n: i32}>
  func.return
}

func.func @elements(%s: !ocl.struct<"rows", {m: !ocl.array<2 x !ocl.array<3 x f32>>}>) {
  // CHECK: %0 = ocl.extract %s["m"] at [1, 2] : !ocl.struct<"rows", {m: !ocl.array<2 x !ocl.array<3 x f32>>}> -> f32
  %0 = ocl.extract %s["m"] at [1, 2] : !ocl.struct<"rows", {m: !ocl.array<2 x !ocl.array<3 x f32>>}> -> f32
  func.return
}

func.func @vectors(%x: f32, %v: vector<3xf32>, %w: vector<4xf32>, %m: vector<2xi32>, %n: vector<8xi32>) {
  // CHECK: %0 = ocl.concat %v, %x : vector<3xf32>, f32 -> vector<4xf32>
  %0 = ocl.concat %v, %x : vector<3xf32>, f32 -> vector<4xf32>
  // CHECK-NEXT: %1 = ocl.shuffle %w, %m : vector<4xf32>, vector<2xi32> -> vector<2xf32>
  %1 = ocl.shuffle %w, %m : vector<4xf32>, vector<2xi32> -> vector<2xf32>
  // CHECK-NEXT: %2 = ocl.shuffle2 %w, %w, %n : vector<4xf32>, vector<8xi32> -> vector<8xf32>
  %2 = ocl.shuffle2 %w, %w, %n : vector<4xf32>, vector<8xi32> -> vector<8xf32>
  func.return
}

func.func @bits(%v: vector<4xi8>, %x: f64, %w: vector<3xf32>) {
  // CHECK: %0 = ocl.bitcast %v : vector<4xi8> to i32
  %0 = ocl.bitcast %v : vector<4xi8> to i32
  // CHECK-NEXT: %1 = ocl.bitcast %x : f64 to vector<2xi32>
  %1 = ocl.bitcast %x : f64 to vector<2xi32>
  // A vector of 3 takes the place of one of 4.
  // CHECK-NEXT: %2 = ocl.bitcast %w : vector<3xf32> to vector<4xi32>
  %2 = ocl.bitcast %w : vector<3xf32> to vector<4xi32>
  func.return
}

func.func @convert(%x: f32, %i: i32, %v: vector<4xi32>, %d: f64) {
  // CHECK: %0 = ocl.convert %x rounding rte sat : f32 to unsigned i8
  %0 = ocl.convert %x rounding rte sat : f32 to unsigned i8
  // CHECK-NEXT: %1 = ocl.convert %i sat : unsigned i32 to i16
  %1 = ocl.convert %i sat : unsigned i32 to i16
  // CHECK-NEXT: %2 = ocl.convert %v rounding rtz : vector<4xi32> to vector<4xf32>
  %2 = ocl.convert %v rounding rtz : vector<4xi32> to vector<4xf32>
  // CHECK-NEXT: %3 = ocl.convert %d rounding rtp : f64 to f16
  %3 = ocl.convert %d rounding rtp : f64 to f16
  // CHECK-NEXT: %4 = ocl.convert %x rounding rtn {note} : f32 to unsigned i64
  %4 = ocl.convert %x rounding rtn {note} : f32 to unsigned i64
  // CHECK-NEXT: %5 = ocl.convert %i : unsigned i32 to unsigned i8
  %5 = ocl.convert %i : unsigned i32 to unsigned i8
  func.return
}

func.func @builtins(%x: f32, %v: vector<4xf32>, %i: i32, %n: vector<4xi32>) {
  // CHECK: %0 = ocl.builtin "clamp"(%x, %x, %x) : (f32, f32, f32) -> f32
  %0 = ocl.builtin "clamp"(%x, %x, %x) : (f32, f32, f32) -> f32
  // CHECK-NEXT: %1, %2 = ocl.builtin "fract"(%v) : (vector<4xf32>) -> (vector<4xf32>, vector<4xf32>)
  %1, %2 = ocl.builtin "fract"(%v) : (vector<4xf32>) -> (vector<4xf32>, vector<4xf32>)
  // CHECK-NEXT: %3 = ocl.builtin "dot"(%v, %v) : (vector<4xf32>, vector<4xf32>) -> f32
  %3 = ocl.builtin "dot"(%v, %v) : (vector<4xf32>, vector<4xf32>) -> f32
  // CHECK-NEXT: %4 = ocl.builtin "s_mul_hi"(%i, %i) : (i32, i32) -> i32
  %4 = ocl.builtin "s_mul_hi"(%i, %i) : (i32, i32) -> i32
  // CHECK-NEXT: %5 = ocl.builtin "upsample"(%i, %i) : (i32, i32) -> i64
  %5 = ocl.builtin "upsample"(%i, %i) : (i32, i32) -> i64
  // CHECK-NEXT: %6 = ocl.builtin "ldexp"(%v, %n) : (vector<4xf32>, vector<4xi32>) -> vector<4xf32>
  %6 = ocl.builtin "ldexp"(%v, %n) : (vector<4xf32>, vector<4xi32>) -> vector<4xf32>
  // CHECK-NEXT: %7, %8 = ocl.builtin "frexp"(%x) : (f32) -> (f32, i32)
  %7, %8 = ocl.builtin "frexp"(%x) : (f32) -> (f32, i32)
  // CHECK-NEXT: %9 = ocl.builtin "isinf"(%v) : (vector<4xf32>) -> vector<4xi1>
  %9 = ocl.builtin "isinf"(%v) : (vector<4xf32>) -> vector<4xi1>
  // CHECK-NEXT: %10 = ocl.builtin "all"(%n) : (vector<4xi32>) -> i1
  %10 = ocl.builtin "all"(%n) : (vector<4xi32>) -> i1
  // CHECK-NEXT: %11 = ocl.builtin "nan"(%n) : (vector<4xi32>) -> vector<4xf32>
  %11 = ocl.builtin "nan"(%n) : (vector<4xi32>) -> vector<4xf32>
  func.return
}
