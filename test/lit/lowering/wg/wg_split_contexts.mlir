// RUN: ocl-opt %s -p wg-split-contexts | filecheck %s

// A complex number is kept over two barriers, while its real parts are exchanged: each part has an array, and the
// imaginary one needs no second.
wg.func @exchange(%t: !ocl.ptr<f32, local> {ocl.name = "t"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %a = wg.context : !wg.context<vector<2xf32>>
  %b = wg.context : !wg.context<vector<2xf32>>
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %re = ocl.load %t[%x] : !ocl.ptr<f32, local>
    %zero = arith.constant dense<0.0> : vector<2xf32>
    %half = vector.insert %re, %zero [0] : f32 into vector<2xf32>
    %im = arith.addf %re, %re : f32
    %v = vector.insert %im, %half [1] : f32 into vector<2xf32>
    wg.put %v, %a[%x, %y, %z] : !wg.context<vector<2xf32>>
  }
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %v = wg.get %a[%x, %y, %z] : !wg.context<vector<2xf32>>
    %other = arith.subi %c63, %x : index
    %re = ocl.load %t[%other] : !ocl.ptr<f32, local>
    %w = vector.insert %re, %v [0] : f32 into vector<2xf32>
    wg.put %w, %b[%x, %y, %z] : !wg.context<vector<2xf32>>
  }
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %w = wg.get %b[%x, %y, %z] : !wg.context<vector<2xf32>>
    %re = vector.extract %w[0] : f32 from vector<2xf32>
    %im = vector.extract %w[1] : f32 from vector<2xf32>
    %sum = arith.addf %re, %im : f32
    ocl.store %sum, %t[%x] : !ocl.ptr<f32, local>
  }
  wg.return
}

// CHECK-LABEL: wg.func @exchange
// CHECK:         [[RE:%.*]] = wg.context : !wg.context<f32>
// CHECK-NEXT:    [[IM:%.*]] = wg.context : !wg.context<f32>
// CHECK-NEXT:    [[NEW:%.*]] = wg.context : !wg.context<f32>
// CHECK-NEXT:    wg.parallel
// CHECK:           wg.put %re, [[RE]]
// CHECK-NEXT:      wg.put %im, [[IM]]
// CHECK:         wg.parallel
// CHECK:           wg.put %re{{.*}}, [[NEW]]
// CHECK-NOT:       wg.put
// CHECK:         wg.parallel
// CHECK:           [[X:%.*]] = wg.get [[NEW]]
// CHECK:           [[Y:%.*]] = wg.get [[IM]]
// CHECK:           %sum = arith.addf [[X]], [[Y]] : f32

// Whole pairs from memory, and into it, stay pairs.
wg.func @whole(%p: !ocl.ptr<vector<2xf32>, global> {ocl.name = "p"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %a = wg.context : !wg.context<vector<2xf32>>
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %v = ocl.load %p[%x] : !ocl.ptr<vector<2xf32>, global>
    wg.put %v, %a[%x, %y, %z] : !wg.context<vector<2xf32>>
  }
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %v = wg.get %a[%x, %y, %z] : !wg.context<vector<2xf32>>
    %w = arith.addf %v, %v : vector<2xf32>
    ocl.store %w, %p[%x] : !ocl.ptr<vector<2xf32>, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @whole
// CHECK:         wg.context : !wg.context<vector<2xf32>>

// A copy in a loop is of another iteration than what it is a copy of: both arrays stay.
wg.func @loop(%t: !ocl.ptr<f32, local> {ocl.name = "t"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %a = wg.context : !wg.context<f32>
  %b = wg.context : !wg.context<f32>
  scf.for %i = %c0 to %c4 step %c1 {
    wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
      %v = wg.get %a[%x, %y, %z] : !wg.context<f32>
      wg.put %v, %b[%x, %y, %z] : !wg.context<f32>
    }
    wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
      %v = wg.get %b[%x, %y, %z] : !wg.context<f32>
      %w = ocl.load %t[%x] : !ocl.ptr<f32, local>
      wg.put %w, %a[%x, %y, %z] : !wg.context<f32>
      ocl.store %v, %t[%x] : !ocl.ptr<f32, local>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @loop
// CHECK:         %a = wg.context
// CHECK-NEXT:    %b = wg.context
// CHECK:           wg.put %v, %b
