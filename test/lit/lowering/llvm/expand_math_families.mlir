// RUN: ocl-opt %s -p expand-math --split-input-file | filecheck %s

// 2^x: x is rounded to sixteenths, of which a table has the powers. The integer part goes to the
// exponent in two steps, so that denormals are rounded once. The first is an addition to the bits;
// x - x, which is 0 else, makes sure that NaN stays NaN.
func.func @exp2(%x: f32) -> f32 {
  %y = math.exp2 %x : f32
  func.return %y : f32
}
// CHECK-LABEL: func.func @exp2
// CHECK:         %[[MAGIC:.*]] = arith.constant 7.864320e+05 : f32
// CHECK-NEXT:    %[[T:.*]] = arith.addf %{{.*}}, %[[MAGIC]] {ocl.no_contract} : f32
// CHECK-NEXT:    arith.subf %[[T]], %[[MAGIC]] {ocl.no_contract} : f32
// CHECK-NEXT:    %[[BITS:.*]] = arith.bitcast %[[T]] : f32 to i32
// CHECK:         vec.lookup %[[BITS]] in array<f32: 1.000000e+00, 1.04427373, {{.*}}1.91520655> : i32 to f32
// CHECK-COUNT-3: math.fma
// CHECK:         arith.addi
// CHECK-NEXT:    %[[NEAR:.*]] = arith.bitcast {{.*}} : i32 to f32
// CHECK:         %[[POWER:.*]] = arith.bitcast {{.*}} : i32 to f32
// CHECK-NEXT:    %[[ZERO:.*]] = arith.subf %[[X:.*]], %[[X]] {ocl.no_contract} : f32
// CHECK-NEXT:    math.fma %[[NEAR]], %[[POWER]], %[[ZERO]] {ocl.scales = 4 : i64} : f32
// CHECK-NEXT:    func.return

// -----

// log: the bits of x are split. Two tables have a number near 1 / m and its logarithm. Denormals, infinities, NaN, zeros and negative numbers are the bits
// that are not from 2^-126 on and below infinity: a branch makes denormals normal, and selects what
// is right at the edges last.
func.func @log(%x: f32) -> f32 {
  %y = math.log %x : f32
  func.return %y : f32
}
// CHECK-LABEL: func.func @log
// CHECK:         arith.bitcast
// CHECK:         arith.shrsi
// CHECK:         arith.sitofp
// CHECK:         %[[C:.*]] = vec.lookup %[[PLACE:.*]] in
// CHECK-NEXT:    vec.lookup %[[PLACE]] in
// CHECK:         math.fma %{{.*}}, %[[C]],
// CHECK:         %[[FROM:.*]] = arith.constant 8388608 : i32
// CHECK-NEXT:    %[[BITS:.*]] = arith.subi %{{.*}}, %[[FROM]] : i32
// CHECK-NEXT:    %[[COUNT:.*]] = arith.constant 2130706432 : i32
// CHECK-NEXT:    %[[OTHER:.*]] = arith.cmpi uge, %[[BITS]], %[[COUNT]] : i32
// CHECK-NEXT:    %y = scf.if %[[OTHER]] -> (f32) {
// CHECK:           arith.cmpf uge
// CHECK-NEXT:      arith.select
// CHECK:           arith.cmpf oeq
// CHECK-NEXT:      arith.constant 0xff800000 : f32
// CHECK-NEXT:      arith.select
// CHECK:           arith.cmpf olt

// -----

// sin: n pi/2 is subtracted in three parts. Large angles are reduced in a branch, by x times 2/pi in
// f64, exactly enough for every f32. The quarter chooses sin or cos, and sign.
func.func @sin(%x: f32) -> f32 {
  %y = math.sin %x : f32
  func.return %y : f32
}
// CHECK-LABEL:   func.func @sin
// CHECK:         %[[LARGE:.*]] = arith.cmpf oge
// CHECK-COUNT-4: math.fma {{.*}} : f32
// CHECK-NEXT:    %[[R:.*]], %[[N:.*]] = scf.if %[[LARGE]] -> (f32, i32) {
// CHECK:           arith.extf %{{.*}} : f32 to f64
// CHECK-COUNT-8:   arith.select {{.*}} : f64
// CHECK:           arith.truncf %{{.*}} : f64 to f32
// CHECK:           scf.yield
// CHECK:         } else {
// CHECK-NEXT:      scf.yield
// CHECK:         arith.mulf %[[R]], %[[R]]
// CHECK:         arith.andi %[[N]]
// CHECK:         arith.select
// CHECK-COUNT-2: arith.xori

// -----

// One large element is enough for the branch to run; it changes only those that are large.
func.func @sin_of_vector(%x: vector<2xf32>) -> vector<2xf32> {
  %y = math.sin %x : vector<2xf32>
  func.return %y : vector<2xf32>
}
// CHECK-LABEL: func.func @sin_of_vector
// CHECK:         %[[LARGE:.*]] = vec.cmpf oge
// CHECK:         %[[A:.*]] = vector.extract %[[LARGE]][0]
// CHECK-NEXT:    %[[B:.*]] = vector.extract %[[LARGE]][1]
// CHECK-NEXT:    %[[ANY:.*]] = arith.ori %[[A]], %[[B]] : i1
// CHECK-NEXT:    scf.if %[[ANY]] -> (vector<2xf32>, vector<2xi32>) {
// CHECK:           vec.select %[[LARGE]], {{.*}} : vector<2xi1>, vector<2xf32>
// CHECK-NEXT:      vec.select %[[LARGE]], {{.*}} : vector<2xi1>, vector<2xi32>
// CHECK-NEXT:      scf.yield

// -----

// No half is large.
func.func @sin_of_half(%x: f16) -> f16 {
  %y = math.sin %x : f16
  func.return %y : f16
}
// CHECK-LABEL: func.func @sin_of_half
// CHECK-NOT:     scf.if
// CHECK:         func.return

// -----

// sincos shares the reduction; cos and sin of one number are a sincos.
func.func @sincos(%x: f32, %y: f32) -> (f32, f32, f32) {
  %s, %c = ocl.builtin "sincos"(%x) : (f32) -> (f32, f32)
  %d = math.cos %y : f32
  %t = math.sin %y : f32
  func.return %c, %d, %t : f32, f32, f32
}
// CHECK-LABEL:   func.func @sincos
// CHECK-COUNT-2: scf.if
// CHECK-NOT:     scf.if
// CHECK:         func.return %c, %d, %t : f32, f32, f32

// -----

// pow of f32 is computed in f32, as sums of two floats: three tables for the logarithm, one for the
// power. Its edges are in a branch.
func.func @pow(%x: f32, %y: f32) -> f32 {
  %z = math.powf %x, %y : f32
  func.return %z : f32
}
// CHECK-LABEL: func.func @pow
// CHECK-NOT:     f64
// CHECK-COUNT-4: vec.lookup
// CHECK-NOT:     vec.lookup
// CHECK-NOT:     arith.divf
// CHECK:         scf.if
// CHECK-NOT:     math.powf

// -----

// atan2 divides once, tanh too.
func.func @quotients(%y: f32, %x: f32) -> f32 {
  %a = math.atan2 %y, %x : f32
  %b = math.tanh %a : f32
  func.return %b : f32
}
// CHECK-LABEL:   func.func @quotients
// CHECK-COUNT-2: arith.divf
// CHECK-NOT:     arith.divf
// CHECK:         func.return %b : f32

// -----

// sin of f64: for large angles, five of the 27 chunks of 2/pi are selected by the bits of the exponent.
func.func @sin_f64(%x: vector<4xf64>) -> vector<4xf64> {
  %y = math.sin %x : vector<4xf64>
  func.return %y : vector<4xf64>
}
// CHECK-LABEL:    func.func @sin_f64
// CHECK-COUNT-4:  math.fma
// CHECK:          scf.if
// CHECK:          arith.shrui %{{.*}} : vector<4xi64>
// CHECK-COUNT-44: vec.select {{.*}} : vector<4xi1>, vector<4xf64>
// CHECK-COUNT-4:  math.fma
// CHECK-COUNT-3:  math.roundeven
// CHECK-NOT:      math.sin
// CHECK:          func.return

// -----

// The logarithm of the gamma function stays.
func.func @lgamma(%x: f64) -> f64 {
  %y = ocl.builtin "lgamma"(%x) : (f64) -> f64
  func.return %y : f64
}
// CHECK-LABEL: func.func @lgamma
// CHECK-NEXT:    ocl.builtin "lgamma"

// -----

// That of f32 is computed in f64; the second result is the sign of gamma.
func.func @lgamma_r(%x: f32) -> (f32, i32) {
  %y, %sign = ocl.builtin "lgamma_r"(%x) : (f32) -> (f32, i32)
  func.return %y, %sign : f32, i32
}
// CHECK-LABEL: func.func @lgamma_r
// CHECK:         arith.extf %x : f32 to f64
// CHECK:         arith.truncf {{.*}} : f64 to f32
// CHECK:         %sign = arith.select {{.*}} : i32
