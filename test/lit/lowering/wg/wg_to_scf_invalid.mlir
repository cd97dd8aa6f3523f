// RUN: ocl-opt %s -p wg-to-scf --split-input-file --verify-diagnostics | filecheck %s

// CHECK: the local size of 'k' is not constant; run ocl-set-local-size{size=X,Y,Z} before ocl-to-wg
wg.func @k() {
  %lx = ocl.local_size 0 : index
  %one = arith.constant 1 : index
  %c = wg.context : !wg.context<f32>
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
  }
  wg.return
}

// -----

// CHECK: a parallel region of size 8x1x1 in a function for 4x1x1
wg.func @sizes() attributes {local_size = array<i64: 4, 1, 1>} {
  %eight = arith.constant 8 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%eight, %one, %one) {
  }
  wg.return
}
