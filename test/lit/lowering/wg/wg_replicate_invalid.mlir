// RUN: ocl-opt %s -p wg-replicate --split-input-file --verify-diagnostics | filecheck %s
// RUN: not ocl-opt %s -p "wg-replicate{max_items=0}" --split-input-file 2>&1 | filecheck %s --check-prefix=OPTION

// OPTION: wg-replicate: max_items must be positive, got 0

// CHECK: a context array: run wg-lower-contexts before wg-replicate
wg.func @kept(%v: f32 {ocl.name = "v"}) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %c = wg.context : !wg.context<f32>
  wg.parallel (%x, %y, %z) in (%two, %one, %one) {
    wg.put %v, %c[%x, %y, %z] : !wg.context<f32>
  }
  wg.return
}
