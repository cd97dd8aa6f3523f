// RUN: ocl-opt %s -p wg-to-launch --split-input-file --verify-diagnostics | filecheck %s

// CHECK: 'wg.parallel' is left: run wg-to-scf before
wg.func @k() {
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%one, %one, %one) {
  }
  wg.return
}
