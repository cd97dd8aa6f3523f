// RUN: ocl-opt %s -p 'ocl-reorganize-threads{dimension=x factor=2}' | filecheck %s
// RUN: ocl-opt %s -p 'ocl-reorganize-threads{platform=amd-cpu}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=CHOICE

// Figure 6 of PPOpenCL: four work-items in a group; both of a row read the same n[y]. Along x two
// become one: the element is read once, and what is computed from it is computed once.

// CHECK:      func.func @figure6
// CHECK:      %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT: host.launch @rows global [%[[ONE]], %{{.*}}] local [%[[ONE]], %{{.*}}] (
func.func @figure6(%n: memref<?xf32>, %out: memref<?xf32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %dn = host.buffer %c2 : !host.buffer<f32>
  %dout = host.buffer %c4 : !host.buffer<f32>
  host.write %n to %dn : memref<?xf32>, !host.buffer<f32>
  host.launch @rows global [%c2, %c2] local [%c2, %c2] (%dn, %dout) : !host.buffer<f32>, !host.buffer<f32>
  host.read %dout to %out : !host.buffer<f32>, memref<?xf32>
  func.return
}

// CHOICE: x: 11 of 13 cycles are the same, factor 2; y: 0 of 13 cycles are the same, factor 1
// CHECK:      ocl.kernel @rows
// CHECK-NEXT:   %[[GID:.*]] = ocl.global_id 0 : index
// CHECK-NEXT:   %[[TWO:.*]] = arith.constant 2 : index
// CHECK-NEXT:   %x = arith.muli %[[GID]], %[[TWO]] : index
// CHECK:        %x_1 = arith.addi %x, %{{.*}} : index
// CHECK-NEXT:   %y = ocl.global_id 1 : index
// CHECK-NEXT:   %v = ocl.load %n[%y]
// CHECK-NEXT:   %w = arith.mulf %v, %v : f32
// CHECK-NOT:    ocl.load
// CHECK-NOT:    arith.mulf
// CHECK:        ocl.store %w, %out[%i]
// CHECK-NEXT:   ocl.store %w, %out[%i_1]
ocl.kernel @rows(%n: !ocl.ptr<f32, global> {ocl.name = "n"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) {
  %x = ocl.global_id 0 : index
  %y = ocl.global_id 1 : index
  %v = ocl.load %n[%y] : !ocl.ptr<f32, global>
  %w = arith.mulf %v, %v : f32
  %c2 = arith.constant 2 : index
  %row = arith.muli %y, %c2 : index
  %i = arith.addi %row, %x : index
  ocl.store %w, %out[%i] : !ocl.ptr<f32, global>
  ocl.return
}
