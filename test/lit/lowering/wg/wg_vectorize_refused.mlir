// RUN: ocl-opt %s -p "wg-vectorize{width=4}" | filecheck %s
// RUN: ocl-opt %s -p "wg-vectorize{width=4}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// A region with a divergent value that no vector holds stays one work-item after the other.
!pair = !ocl.struct<"pair", {a: f32, b: f32}>
wg.func @struct(%p: !ocl.ptr<!pair, global> {ocl.name = "p"}) {
  %n = arith.constant 64 : index
  %one = arith.constant 1 : index
  // CHECK: wg.parallel (%x, %y, %z) in (%n, %one, %one) {
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %p[%x] : !ocl.ptr<!pair, global>
    // REMARK: [[# @LINE + 1]]:5: remark: not vectorised: a divergent value of type !ocl.struct<"pair", {a: f32, b: f32}> [wg-vectorize]
    %w = scf.for %i = %one to %n step %one iter_args(%u = %v) -> (!pair) {
      scf.yield %u : !pair
    }
    ocl.store %w, %p[%x] : !ocl.ptr<!pair, global>
  }
  wg.return
}
