// RUN: ocl-opt %s -p ocl-print-def-use --split-input-file --verify-diagnostics | filecheck %s

// CHECK: 'func.func' branches between 3 blocks; def-use chains need structured control flow: run lift-cf-to-scf first
func.func @blocks(%h: memref<?xi32>, %n: index, %c: i1) {
  %d = host.buffer %n : !host.buffer<i32>
  cf.cond_br %c, ^write, ^end
^write:
  host.write %h to %d : memref<?xi32>, !host.buffer<i32>
  cf.br ^end
^end:
  func.return
}

// -----

// CHECK: def-use chains need scf.for, scf.while or scf.if, got 'scf.execute_region'
func.func @region(%h: memref<?xi32>, %n: index) {
  %d = host.buffer %n : !host.buffer<i32>
  scf.execute_region {
    host.write %h to %d : memref<?xi32>, !host.buffer<i32>
    scf.yield
  }
  func.return
}
