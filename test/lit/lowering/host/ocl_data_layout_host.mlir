// RUN: ocl-opt %s -p 'ocl-data-layout{platform=intel-rt}' --split-input-file --remarks 2>%t | filecheck %s
// RUN: filecheck %s --check-prefix=SAYS --input-file %t
// RUN: ocl-opt %s -p 'ocl-data-layout{platform=intel-cpu}' --split-input-file --remarks 2>&1 | filecheck %s --check-prefix=PAPER
// RUN: ocl-opt %s -p 'ocl-data-layout{platform=nvidia-h200}' --split-input-file | filecheck %s --check-prefix=GPU

// The host is serial. Where a buffer keeps its layout, but the host's loops jump from line to line
// in an array, they get the other order, and the device transposes. The paper has no such step.

// PAPER-NOT: host.transpose
// PAPER-NOT: other order

ocl.kernel @sum(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %M: i32 {ocl.name = "M"}, %N: i32 {ocl.name = "N"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ocl.global_id 0 : index
  %columns = arith.index_cast %M : i32 to index
  %rows = arith.index_cast %N : i32 to index
  %rounds = arith.constant 4000 : index
  scf.for %round = %c0 to %rounds step %c1 {
    scf.for %j = %c0 to %rows step %c1 {
      %row = arith.muli %j, %columns : index
      %at = arith.addi %row, %i : index
      %value = ocl.load %a[%at] : !ocl.ptr<f32, global>
      %twice = arith.addf %value, %value : f32
      ocl.store %twice, %b[%at] : !ocl.ptr<f32, global>
    }
  }
  ocl.return
}

// Neighbours of the kernel read neighbours, but the host fills h item by item, and looks at the
// results so. Both loops get the order of the items.
// SAYS:      remark: a: coalesced layout kept on intel-rt: 1 -> 16 lines a step
// SAYS-NEXT: remark: h: the host's loops use it in the other order; the device transposes it
// SAYS-NEXT: remark: b: coalesced layout kept on intel-rt: 1 -> 16 lines a step
// SAYS-NEXT: remark: r: the host's loops use it in the other order; the device transposes it

// A GPU has no time for this: where its kernels read often enough, the host transposes what it writes, and reads as before.
// GPU-LABEL: func.func @filled_and_read
// GPU:         %h_1 = host.transpose %h rows %M columns %N : memref<
// GPU-NEXT:    host.write %h_1 to %a
// GPU:         host.launch @sum
// GPU-NOT:     host.transpose
// GPU:         host.read %b to %r

// CHECK-LABEL: func.func @filled_and_read
// CHECK:         scf.for %i =
// CHECK-NEXT:      scf.for %j =
// CHECK:             [[FIRST:%.*]] = arith.muli %N, %i : index
// CHECK-NEXT:        [[AT:%.*]] = arith.addi %j, [[FIRST]] : index
// CHECK-NEXT:        memref.store %v, %h[[[AT]]]
// CHECK:         host.write %h to %a
// CHECK-NEXT:    %a_1 = host.transpose %a rows %M columns %N : !host.buffer<f32>
// CHECK-NEXT:    host.release %a
// CHECK-NEXT:    host.launch @sum global [%M] (%a_1, %b, %M32, %N32)
// CHECK-NEXT:    %b_1 = host.transpose %b rows %N columns %M : !host.buffer<f32>
// CHECK-NEXT:    host.read %b_1 to %r
// CHECK-NEXT:    host.release %b_1
// CHECK:         scf.for %i_1 =
// CHECK-NEXT:      scf.for %j_1 =
// CHECK:             [[FIRST:%.*]] = arith.muli %N, %i_1 : index
// CHECK-NEXT:        [[AT:%.*]] = arith.addi %j_1, [[FIRST]] : index
// CHECK-NEXT:        memref.load %r[[[AT]]]
func.func @filled_and_read(%x: memref<?xf32>, %y: memref<?xf32>, %M: index, %N: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.muli %M, %N : index
  %M32 = arith.index_cast %M : index to i32
  %N32 = arith.index_cast %N : index to i32
  %a = host.buffer %count : !host.buffer<f32>
  %b = host.buffer %count : !host.buffer<f32>
  %h = memref.alloc(%count) : memref<?xf32>
  %r = memref.alloc(%count) : memref<?xf32>
  scf.for %i = %c0 to %M step %c1 {
    scf.for %j = %c0 to %N step %c1 {
      %v = memref.load %x[%j] : memref<?xf32>
      %row = arith.muli %j, %M : index
      %at = arith.addi %row, %i : index
      memref.store %v, %h[%at] : memref<?xf32>
    }
  }
  host.write %h to %a : memref<?xf32>, !host.buffer<f32>
  host.launch @sum global [%M] (%a, %b, %M32, %N32) : !host.buffer<f32>, !host.buffer<f32>, i32, i32
  host.read %b to %r : !host.buffer<f32>, memref<?xf32>
  scf.for %i = %c0 to %M step %c1 {
    scf.for %j = %c0 to %N step %c1 {
      %row = arith.muli %j, %M : index
      %at = arith.addi %row, %i : index
      %v = memref.load %r[%at] : memref<?xf32>
      memref.store %v, %y[%i] : memref<?xf32>
    }
  }
  func.return
}

// -----

// What the kernel accesses need not be proved to lie in the matrix, as its buffer stays: here a
// column whose number was loaded.
ocl.kernel @gather(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %from: !ocl.ptr<i32, global> {ocl.name = "from"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %M: i32 {ocl.name = "M"}, %N: i32 {ocl.name = "N"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %i = ocl.global_id 0 : index
  %column32 = ocl.load %from[%i] : !ocl.ptr<i32, global>
  %column = arith.index_cast %column32 : i32 to index
  %columns = arith.index_cast %M : i32 to index
  %rows = arith.index_cast %N : i32 to index
  %sum = scf.for %j = %c0 to %rows step %c1 iter_args(%s = %zero) -> (f32) {
    %row = arith.muli %j, %columns : index
    %at = arith.addi %row, %column : index
    %value = ocl.load %a[%at] : !ocl.ptr<f32, global>
    %next = arith.addf %s, %value : f32
    scf.yield %next : f32
  }
  ocl.store %sum, %b[%i] : !ocl.ptr<f32, global>
  ocl.return
}
// SAYS:      remark: a: layout kept: 'ocl.load' of [M * j + column32] in kernel 'gather' is not proved to lie in %N x %M
// SAYS-NEXT: remark: h: the host's loops use it in the other order; the device transposes it
// CHECK-LABEL: func.func @not_proved
// CHECK:         host.write %h to %a
// CHECK-NEXT:    %a_1 = host.transpose %a rows %M columns %N : !host.buffer<f32>
// CHECK-NEXT:    host.release %a
// CHECK-NEXT:    host.launch @gather global [%M] (%a_1, %f, %b, %M32, %N32)
func.func @not_proved(%x: memref<?xf32>, %from: memref<?xi32>, %y: memref<?xf32>, %M: index, %N: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.muli %M, %N : index
  %M32 = arith.index_cast %M : index to i32
  %N32 = arith.index_cast %N : index to i32
  %a = host.buffer %count : !host.buffer<f32>
  %f = host.buffer %M : !host.buffer<i32>
  %b = host.buffer %M : !host.buffer<f32>
  %h = memref.alloc(%count) : memref<?xf32>
  scf.for %i = %c0 to %M step %c1 {
    scf.for %j = %c0 to %N step %c1 {
      %v = memref.load %x[%j] : memref<?xf32>
      %row = arith.muli %j, %M : index
      %at = arith.addi %row, %i : index
      memref.store %v, %h[%at] : memref<?xf32>
    }
  }
  host.write %from to %f : memref<?xi32>, !host.buffer<i32>
  host.write %h to %a : memref<?xf32>, !host.buffer<f32>
  host.launch @gather global [%M] (%a, %f, %b, %M32, %N32) : !host.buffer<f32>, !host.buffer<i32>, !host.buffer<f32>, i32, i32
  host.read %b to %y : !host.buffer<f32>, memref<?xf32>
  func.return
}

// -----

// The other way round: the buffer changes, as its kernel is launched often, but the host's loops go
// along the lines, and would jump in the new order. The array keeps its own, and is transposed once.
// On the paper's platforms an array follows its buffer.
ocl.kernel @sums(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %N: i32 {ocl.name = "N"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %i = ocl.global_id 0 : index
  %columns = arith.index_cast %N : i32 to index
  %row = arith.muli %i, %columns : index
  %sum = scf.for %j = %c0 to %columns step %c1 iter_args(%s = %zero) -> (f32) {
    %at = arith.addi %row, %j : index
    %value = ocl.load %a[%at] : !ocl.ptr<f32, global>
    %next = arith.addf %s, %value : f32
    scf.yield %next : f32
  }
  ocl.store %sum, %b[%i] : !ocl.ptr<f32, global>
  ocl.return
}
// SAYS: remark: a: continuous -> coalesced on intel-rt, %M x %N -> %N x %M: 16 -> 1 lines a step; 1 transfers are transposed
// CHECK-LABEL: func.func @along_lines
// CHECK:             %row = arith.muli %i, %N : index
// CHECK-NEXT:        %at = arith.addi %row, %j : index
// CHECK-NEXT:        memref.store %v, %h[%at]
// CHECK:         host.write %h to %a
// CHECK-NEXT:    %a_1 = host.transpose %a rows %M columns %N : !host.buffer<f32>
// CHECK-NEXT:    host.release %a
func.func @along_lines(%x: memref<?xf32>, %y: memref<?xf32>, %M: index, %N: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %count = arith.muli %M, %N : index
  %N32 = arith.index_cast %N : index to i32
  %a = host.buffer %count : !host.buffer<f32>
  %b = host.buffer %M : !host.buffer<f32>
  %h = memref.alloc(%count) : memref<?xf32>
  scf.for %i = %c0 to %M step %c1 {
    scf.for %j = %c0 to %N step %c1 {
      %v = memref.load %x[%j] : memref<?xf32>
      %row = arith.muli %i, %N : index
      %at = arith.addi %row, %j : index
      memref.store %v, %h[%at] : memref<?xf32>
    }
  }
  host.write %h to %a : memref<?xf32>, !host.buffer<f32>
  scf.for %round = %c0 to %c100 step %c1 {
    host.launch @sums global [%M] (%a, %b, %N32) : !host.buffer<f32>, !host.buffer<f32>, i32
  }
  host.read %b to %y : !host.buffer<f32>, memref<?xf32>
  func.return
}

// -----

// This kernel accesses each element once: that neighbours read different lines costs less than a
// transpose, so the buffer gets the host's order.
// SAYS: remark: a: coalesced -> continuous on intel-rt, %N x %M -> %M x %N: 1 -> 16 lines a step; the host's loops use h in the new order
ocl.kernel @once(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %M: i32 {ocl.name = "M"}, %N: i32 {ocl.name = "N"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %i = ocl.global_id 0 : index
  %columns = arith.index_cast %M : i32 to index
  %rows = arith.index_cast %N : i32 to index
  %sum = scf.for %j = %c0 to %rows step %c1 iter_args(%s = %zero) -> (f32) {
    %row = arith.muli %j, %columns : index
    %at = arith.addi %row, %i : index
    %value = ocl.load %a[%at] : !ocl.ptr<f32, global>
    %next = arith.addf %s, %value : f32
    scf.yield %next : f32
  }
  ocl.store %sum, %b[%i] : !ocl.ptr<f32, global>
  ocl.return
}
// CHECK-LABEL: func.func @read_once
// CHECK-NOT:     host.transpose
// CHECK:         host.launch @once
func.func @read_once(%x: memref<?xf32>, %y: memref<?xf32>, %M: index, %N: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.muli %M, %N : index
  %h = memref.alloc(%count) : memref<?xf32>
  scf.for %i = %c0 to %M step %c1 {
    scf.for %j = %c0 to %N step %c1 {
      %first = arith.muli %i, %N : index
      %from = arith.addi %first, %j : index
      %value = memref.load %x[%from] : memref<?xf32>
      %row = arith.muli %j, %M : index
      %to = arith.addi %i, %row : index
      memref.store %value, %h[%to] : memref<?xf32>
    }
  }
  %a = host.buffer %count : !host.buffer<f32>
  %b = host.buffer %M : !host.buffer<f32>
  host.write %h to %a : memref<?xf32>, !host.buffer<f32>
  %M32 = arith.index_cast %M : index to i32
  %N32 = arith.index_cast %N : index to i32
  host.launch @once global [%M] (%a, %b, %M32, %N32) : !host.buffer<f32>, !host.buffer<f32>, i32, i32
  host.read %b to %y : !host.buffer<f32>, memref<?xf32>
  func.return
}
