// RUN: ocl-opt %s -p ocl-to-wg --split-input-file --verify-diagnostics | filecheck %s

// CHECK: call of @f: run inline-functions before ocl-to-wg
func.func private @f()
ocl.kernel @call() {
  func.call @f() : () -> ()
  ocl.return
}

// -----

// CHECK: kernel 'blocks' branches between blocks; a work-group needs structured control flow: run lift-cf-to-scf before ocl-to-wg
ocl.kernel @blocks() {
  cf.br ^end
^end:
  ocl.return
}

// -----

// CHECK: the count of an async copy must be the same for all work-items of a group; it is a work-item's id
ocl.kernel @async(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}) {
  %lid = ocl.local_id 0 : index
  %none = ocl.null_event
  %e = ocl.async_copy %t, %x, %lid, %none : !ocl.ptr<f32, local>, !ocl.ptr<f32, global>
  ocl.return
}

// -----

// CHECK: an async copy under a condition that is not proven uniform
ocl.kernel @masked(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}) {
  %n = ocl.local_size 0 : index
  %lid = ocl.local_id 0 : index
  %none = ocl.null_event
  %c = arith.cmpi slt, %lid, %n : index
  scf.if %c {
    %e = ocl.async_copy %t, %x, %n, %none : !ocl.ptr<f32, local>, !ocl.ptr<f32, global>
  }
  ocl.return
}

// -----

// CHECK: a barrier inside 'scf.execute_region' is not supported
ocl.kernel @region() {
  scf.execute_region {
    ocl.barrier local
    scf.yield
  }
  ocl.return
}
