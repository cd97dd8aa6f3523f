// RUN: ocl-opt %s -p 'ocl-data-layout{platform=intel-rt}' --split-input-file --remarks 2>&1 | filecheck %s
// RUN: ocl-opt %s -p 'ocl-data-layout{platform=intel-rt}' --split-input-file --remarks 2>&1 | filecheck %s --check-prefix=NOWHERE

// Arrays of the host that keep their order, as do the buffers, though most have loops that jump.

// NOWHERE-NOT: host.transpose
// NOWHERE-NOT: in the other order

// The array is the caller's, who knows its order.
// CHECK: remark: a: coalesced layout kept on intel-rt
ocl.kernel @double(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %M: i32 {ocl.name = "M"}, %N: i32 {ocl.name = "N"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ocl.global_id 0 : index
  %columns = arith.index_cast %M : i32 to index
  %rows = arith.index_cast %N : i32 to index
  scf.for %j = %c0 to %rows step %c1 {
    %row = arith.muli %j, %columns : index
    %at = arith.addi %row, %i : index
    %value = ocl.load %a[%at] : !ocl.ptr<f32, global>
    %twice = arith.addf %value, %value : f32
    ocl.store %twice, %a[%at] : !ocl.ptr<f32, global>
  }
  ocl.return
}
func.func @argument(%x: memref<?xf32>, %h: memref<?xf32>, %M: index, %N: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %count = arith.muli %M, %N : index
  %M32 = arith.index_cast %M : index to i32
  %N32 = arith.index_cast %N : index to i32
  %a = host.buffer %count : !host.buffer<f32>
  scf.for %i = %c0 to %M step %c1 {
    scf.for %j = %c0 to %N step %c1 {
      %v = memref.load %x[%j] : memref<?xf32>
      %row = arith.muli %j, %M : index
      %at = arith.addi %row, %i : index
      memref.store %v, %h[%at] : memref<?xf32>
    }
  }
  host.write %h to %a : memref<?xf32>, !host.buffer<f32>
  host.launch @double global [%M] (%a, %M32, %N32) : !host.buffer<f32>, i32, i32
  func.return
}

// -----

// The buffer was made outside of the loop: the next round's write would find it released.
// CHECK: remark: a: coalesced layout kept on intel-rt
ocl.kernel @double(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %M: i32 {ocl.name = "M"}, %N: i32 {ocl.name = "N"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ocl.global_id 0 : index
  %columns = arith.index_cast %M : i32 to index
  %rows = arith.index_cast %N : i32 to index
  scf.for %j = %c0 to %rows step %c1 {
    %row = arith.muli %j, %columns : index
    %at = arith.addi %row, %i : index
    %value = ocl.load %a[%at] : !ocl.ptr<f32, global>
    %twice = arith.addf %value, %value : f32
    ocl.store %twice, %a[%at] : !ocl.ptr<f32, global>
  }
  ocl.return
}
func.func @made_elsewhere(%x: memref<?xf32>, %M: index, %N: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %count = arith.muli %M, %N : index
  %M32 = arith.index_cast %M : index to i32
  %N32 = arith.index_cast %N : index to i32
  %a = host.buffer %count : !host.buffer<f32>
  %h = memref.alloc(%count) : memref<?xf32>
  scf.for %t = %c0 to %c1000 step %c1 {
    scf.for %i = %c0 to %M step %c1 {
      scf.for %j = %c0 to %N step %c1 {
        %v = memref.load %x[%j] : memref<?xf32>
        %row = arith.muli %j, %M : index
        %at = arith.addi %row, %i : index
        memref.store %v, %h[%at] : memref<?xf32>
      }
    }
    host.write %h to %a : memref<?xf32>, !host.buffer<f32>
    host.launch @double global [%M] (%a, %M32, %N32) : !host.buffer<f32>, i32, i32
  }
  host.read %a to %x : !host.buffer<f32>, memref<?xf32>
  func.return
}

// -----

// Filled once, written a thousand times: so often it would be transposed.
// CHECK: remark: a: coalesced layout kept on intel-rt
ocl.kernel @double(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %M: i32 {ocl.name = "M"}, %N: i32 {ocl.name = "N"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ocl.global_id 0 : index
  %columns = arith.index_cast %M : i32 to index
  %rows = arith.index_cast %N : i32 to index
  scf.for %j = %c0 to %rows step %c1 {
    %row = arith.muli %j, %columns : index
    %at = arith.addi %row, %i : index
    %value = ocl.load %a[%at] : !ocl.ptr<f32, global>
    %twice = arith.addf %value, %value : f32
    ocl.store %twice, %a[%at] : !ocl.ptr<f32, global>
  }
  ocl.return
}
func.func @written_often(%x: memref<?xf32>, %M: index, %N: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %count = arith.muli %M, %N : index
  %M32 = arith.index_cast %M : index to i32
  %N32 = arith.index_cast %N : index to i32
  %h = memref.alloc(%count) : memref<?xf32>
  scf.for %i = %c0 to %M step %c1 {
    scf.for %j = %c0 to %N step %c1 {
      %v = memref.load %x[%j] : memref<?xf32>
      %row = arith.muli %j, %M : index
      %at = arith.addi %row, %i : index
      memref.store %v, %h[%at] : memref<?xf32>
    }
  }
  scf.for %t = %c0 to %c1000 step %c1 {
    %a = host.buffer %count : !host.buffer<f32>
    host.write %h to %a : memref<?xf32>, !host.buffer<f32>
    host.launch @double global [%M] (%a, %M32, %N32) : !host.buffer<f32>, i32, i32
    host.release %a : !host.buffer<f32>
  }
  func.return
}

// -----

// The buffer has other data before it is written.
// CHECK: remark: a: coalesced layout kept on intel-rt
ocl.kernel @double(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %M: i32 {ocl.name = "M"}, %N: i32 {ocl.name = "N"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ocl.global_id 0 : index
  %columns = arith.index_cast %M : i32 to index
  %rows = arith.index_cast %N : i32 to index
  scf.for %j = %c0 to %rows step %c1 {
    %row = arith.muli %j, %columns : index
    %at = arith.addi %row, %i : index
    %value = ocl.load %a[%at] : !ocl.ptr<f32, global>
    %twice = arith.addf %value, %value : f32
    ocl.store %twice, %a[%at] : !ocl.ptr<f32, global>
  }
  ocl.return
}
func.func @used_before(%x: memref<?xf32>, %M: index, %N: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %count = arith.muli %M, %N : index
  %M32 = arith.index_cast %M : index to i32
  %N32 = arith.index_cast %N : index to i32
  %a = host.buffer %count : !host.buffer<f32>
  %h = memref.alloc(%count) : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  host.fill %a with %zero : !host.buffer<f32>
  scf.for %i = %c0 to %M step %c1 {
    scf.for %j = %c0 to %N step %c1 {
      %v = memref.load %x[%j] : memref<?xf32>
      %row = arith.muli %j, %M : index
      %at = arith.addi %row, %i : index
      memref.store %v, %h[%at] : memref<?xf32>
    }
  }
  host.write %h to %a : memref<?xf32>, !host.buffer<f32>
  host.launch @double global [%M] (%a, %M32, %N32) : !host.buffer<f32>, i32, i32
  host.read %a to %x : !host.buffer<f32>, memref<?xf32>
  func.return
}

// -----

// A function gets the array that may do anything with it.
// CHECK: remark: a: coalesced layout kept on intel-rt
ocl.kernel @double(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %M: i32 {ocl.name = "M"}, %N: i32 {ocl.name = "N"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ocl.global_id 0 : index
  %columns = arith.index_cast %M : i32 to index
  %rows = arith.index_cast %N : i32 to index
  scf.for %j = %c0 to %rows step %c1 {
    %row = arith.muli %j, %columns : index
    %at = arith.addi %row, %i : index
    %value = ocl.load %a[%at] : !ocl.ptr<f32, global>
    %twice = arith.addf %value, %value : f32
    ocl.store %twice, %a[%at] : !ocl.ptr<f32, global>
  }
  ocl.return
}
func.func @seen(%x: memref<?xf32>, %M: index, %N: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %count = arith.muli %M, %N : index
  %M32 = arith.index_cast %M : index to i32
  %N32 = arith.index_cast %N : index to i32
  %a = host.buffer %count : !host.buffer<f32>
  %h = memref.alloc(%count) : memref<?xf32>
  scf.for %i = %c0 to %M step %c1 {
    scf.for %j = %c0 to %N step %c1 {
      %v = memref.load %x[%j] : memref<?xf32>
      %row = arith.muli %j, %M : index
      %at = arith.addi %row, %i : index
      memref.store %v, %h[%at] : memref<?xf32>
    }
  }
  host.opaque "show"(%h) : (memref<?xf32>) -> ()
  host.write %h to %a : memref<?xf32>, !host.buffer<f32>
  host.launch @double global [%M] (%a, %M32, %N32) : !host.buffer<f32>, i32, i32
  host.read %a to %x : !host.buffer<f32>, memref<?xf32>
  func.return
}

// -----

// The loops go along the lines: the other order would jump.
// CHECK: remark: a: coalesced layout kept on intel-rt
ocl.kernel @double(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %M: i32 {ocl.name = "M"}, %N: i32 {ocl.name = "N"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ocl.global_id 0 : index
  %columns = arith.index_cast %M : i32 to index
  %rows = arith.index_cast %N : i32 to index
  scf.for %j = %c0 to %rows step %c1 {
    %row = arith.muli %j, %columns : index
    %at = arith.addi %row, %i : index
    %value = ocl.load %a[%at] : !ocl.ptr<f32, global>
    %twice = arith.addf %value, %value : f32
    ocl.store %twice, %a[%at] : !ocl.ptr<f32, global>
  }
  ocl.return
}
func.func @along_lines(%x: memref<?xf32>, %M: index, %N: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %count = arith.muli %M, %N : index
  %M32 = arith.index_cast %M : index to i32
  %N32 = arith.index_cast %N : index to i32
  %a = host.buffer %count : !host.buffer<f32>
  %h = memref.alloc(%count) : memref<?xf32>
  scf.for %j = %c0 to %N step %c1 {
    scf.for %i = %c0 to %M step %c1 {
      %v = memref.load %x[%j] : memref<?xf32>
      %row = arith.muli %j, %M : index
      %at = arith.addi %row, %i : index
      memref.store %v, %h[%at] : memref<?xf32>
    }
  }
  host.write %h to %a : memref<?xf32>, !host.buffer<f32>
  host.launch @double global [%M] (%a, %M32, %N32) : !host.buffer<f32>, i32, i32
  host.read %a to %x : !host.buffer<f32>, memref<?xf32>
  func.return
}

// -----

// 64 KiB stay in the caches, however the loops go.
// CHECK: remark: a: coalesced layout kept on intel-rt
ocl.kernel @double(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %M: i32 {ocl.name = "M"}, %N: i32 {ocl.name = "N"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ocl.global_id 0 : index
  %columns = arith.index_cast %M : i32 to index
  %rows = arith.index_cast %N : i32 to index
  scf.for %j = %c0 to %rows step %c1 {
    %row = arith.muli %j, %columns : index
    %at = arith.addi %row, %i : index
    %value = ocl.load %a[%at] : !ocl.ptr<f32, global>
    %twice = arith.addf %value, %value : f32
    ocl.store %twice, %a[%at] : !ocl.ptr<f32, global>
  }
  ocl.return
}
func.func @small(%x: memref<?xf32>) {
  %M = arith.constant 1024 : index
  %N = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %count = arith.muli %M, %N : index
  %M32 = arith.index_cast %M : index to i32
  %N32 = arith.index_cast %N : index to i32
  %a = host.buffer %count : !host.buffer<f32>
  %h = memref.alloc(%count) : memref<?xf32>
  scf.for %i = %c0 to %M step %c1 {
    scf.for %j = %c0 to %N step %c1 {
      %v = memref.load %x[%j] : memref<?xf32>
      %row = arith.muli %j, %M : index
      %at = arith.addi %row, %i : index
      memref.store %v, %h[%at] : memref<?xf32>
    }
  }
  host.write %h to %a : memref<?xf32>, !host.buffer<f32>
  host.launch @double global [%M] (%a, %M32, %N32) : !host.buffer<f32>, i32, i32
  host.read %a to %x : !host.buffer<f32>, memref<?xf32>
  func.return
}
