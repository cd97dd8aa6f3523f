// RUN: ocl-opt %s -p ocl-insert-checks --split-input-file --verify-diagnostics

ocl.kernel @waits(%y: !ocl.ptr<i32, global> {ocl.name = "y"}, %x: !ocl.ptr<i32, global> {ocl.name = "x"}) {
  %i = ocl.global_id 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<i32, global>
  %c0 = arith.constant 0 : i32
  %c = arith.cmpi eq, %v, %c0 : i32
  // expected-error@+1 {{a barrier that some work-items may not reach is checked by the interpreter only}}
  scf.if %c {
    ocl.barrier local
  }
  // One that did not wait above would wait here.
  ocl.barrier local
  ocl.return
}
