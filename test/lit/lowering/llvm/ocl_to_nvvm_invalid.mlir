// RUN: ocl-opt %s -p ocl-to-nvvm --split-input-file --verify-diagnostics | filecheck %s

// CHECK: 'scf.if' has no form in LLVM: run scf-to-cf before convert-to-llvm
ocl.kernel @structured(%c: i32 {ocl.name = "c"}) {
  %t = arith.trunci %c : i32 to i1
  scf.if %t {
    ocl.barrier local
  }
  ocl.return
}

// -----

// CHECK: 'fmodf' of the C math library is not there on this target
ocl.kernel @library(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
  %v = ocl.load %x : !ocl.ptr<f32, global>
  %w = ocl.builtin "fmod"(%v, %v) : (f32, f32) -> f32
  ocl.store %w, %x : !ocl.ptr<f32, global>
  ocl.return
}

// -----

// CHECK: 'ocl.group_reduce' of a work-group: run ocl-expand-collectives before
ocl.kernel @group(%x: i32 {ocl.name = "x"}) {
  %s = ocl.group_reduce work_group add %x : i32
  ocl.return
}

// -----

// CHECK: printf: '%d' does not fit an argument f32
ocl.kernel @prints(%x: f32 {ocl.name = "x"}) {
  %r = ocl.printf "%d\n"(%x) : (f32) -> i32
  ocl.return
}

// -----

// CHECK: expected an ocl.kernel, got 'wg.func'
wg.func @k() {
  wg.return
}
