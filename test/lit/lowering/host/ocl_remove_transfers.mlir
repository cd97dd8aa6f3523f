// RUN: ocl-opt %s -p ocl-remove-transfers | filecheck %s
// RUN: ocl-opt %s -p ocl-remove-transfers --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

ocl.kernel @double(
  %from: !ocl.ptr<f32, global> {ocl.name = "from"}, %to: !ocl.ptr<f32, global> {ocl.name = "to"}
) {
  %i = ocl.global_id 0 : index
  %x = ocl.load %from[%i] : !ocl.ptr<f32, global>
  %sum = arith.addf %x, %x : f32
  ocl.store %sum, %to[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// e is filled and then overwritten by the copy; d still is h when it is written again. In the loop, e
// is w already. t is read into, and nobody looks: without the read, t is never used.
// CHECK-LABEL: func.func @all
// CHECK-NOT:     host.fill
// CHECK:         host.write %w to %e
// CHECK-NEXT:    host.write %h to %d
// CHECK-NOT:     host.write
// CHECK:         host.launch @double
// CHECK-NOT:     host.write
// CHECK:         host.read %d to %h
// CHECK-NOT:     host.read
// CHECK:         func.return
// REMARK: 'host.write' is removed: w and e are equal before it
// REMARK: 'host.fill' is removed: nothing uses e after it
// REMARK: 'host.read' is removed: nothing uses t after it
func.func @all(%h: memref<?xf32>, %w: memref<?xf32>, %n: index, %none: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = host.buffer %n : !host.buffer<f32>
  %e = host.buffer %n : !host.buffer<f32>
  %t = memref.alloc(%n) : memref<?xf32>
  host.fill %e with %none : !host.buffer<f32>
  host.write %w to %e : memref<?xf32>, !host.buffer<f32>
  host.write %h to %d : memref<?xf32>, !host.buffer<f32>
  scf.for %step = %c0 to %n step %c1 {
    host.write %w to %e : memref<?xf32>, !host.buffer<f32>
    host.launch @double global [%n] (%e, %d) : !host.buffer<f32>, !host.buffer<f32>
  }
  host.read %d to %h : !host.buffer<f32>, memref<?xf32>
  host.read %e to %t : !host.buffer<f32>, memref<?xf32>
  func.return
}

// All of these stay. Opaque code may keep the address of w, and change it at any time; a part of d is
// not d; and where one way of a branch changes d, d may be another.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-5: host.write
// CHECK:         func.return
func.func @kept(%h: memref<?xf32>, %w: memref<?xf32>, %n: index, %c: i1) {
  %d = host.buffer %n : !host.buffer<f32>
  %e = host.buffer %n : !host.buffer<f32>
  host.opaque "keep"(%w) : (memref<?xf32>) -> ()
  host.write %w to %e : memref<?xf32>, !host.buffer<f32>
  host.write %h to %d count %n : memref<?xf32>, !host.buffer<f32>
  host.launch @double global [%n] (%d, %e) : !host.buffer<f32>, !host.buffer<f32>
  host.read %e to %h : !host.buffer<f32>, memref<?xf32>
  host.opaque "change"() : () -> ()
  host.write %w to %e : memref<?xf32>, !host.buffer<f32>
  host.write %h to %d : memref<?xf32>, !host.buffer<f32>
  scf.if %c {
    host.launch @double global [%n] (%d, %d) : !host.buffer<f32>, !host.buffer<f32>
  }
  host.launch @double global [%n] (%d, %e) : !host.buffer<f32>, !host.buffer<f32>
  host.write %h to %d : memref<?xf32>, !host.buffer<f32>
  host.launch @double global [%n] (%d, %e) : !host.buffer<f32>, !host.buffer<f32>
  host.read %e to %h : !host.buffer<f32>, memref<?xf32>
  func.return
}
