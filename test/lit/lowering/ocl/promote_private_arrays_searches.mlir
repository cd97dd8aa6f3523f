// RUN: ocl-opt %s -p promote-private-arrays | filecheck %s

// A search from a known start has at most two rounds, and then all of its indices are known.
ocl.kernel @search(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %a: f32 {ocl.name = "a"}, %b: f32 {ocl.name = "b"}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1 : i32
  %step = arith.constant 1 : i32
  %none = arith.constant 0 : i32
  %v = ocl.alloca : !ocl.ptr<!ocl.array<2 x f32>, private>
  %p = ocl.cast %v : !ocl.ptr<!ocl.array<2 x f32>, private> to !ocl.ptr<f32, private>
  ocl.store %a, %p[%zero] : !ocl.ptr<f32, private>
  ocl.store %b, %p[%one] : !ocl.ptr<f32, private>
  %last = scf.while (%j = %start) : (i32) -> i32 {
    %inside = arith.cmpi sge, %j, %none : i32
    %more = scf.if %inside -> (i1) {
      %i = arith.index_cast %j : i32 to index
      %x = ocl.load %p[%i] : !ocl.ptr<f32, private>
      %large = arith.cmpf ogt, %x, %a : f32
      scf.yield %large : i1
    } else {
      %false = arith.constant false
      scf.yield %false : i1
    }
    scf.condition(%more) %j : i32
  } do {
  ^bb0(%k: i32):
    %next = arith.subi %k, %step : i32
    scf.yield %next : i32
  }
  %w = arith.sitofp %last : i32 to f32
  ocl.store %w, %in : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @search
// CHECK-NOT:     ocl.alloca
// CHECK-NOT:     scf.while
// CHECK:         arith.cmpf ogt, %b, %a : f32
// CHECK:         arith.cmpf ogt, %a, %a : f32
// CHECK-NOT:     arith.cmpf

// The start is not known.
ocl.kernel @unknown(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %a: f32 {ocl.name = "a"}, %start: i32 {ocl.name = "start"}) {
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : i32
  %none = arith.constant 0 : i32
  %v = ocl.alloca : !ocl.ptr<!ocl.array<2 x f32>, private>
  %p = ocl.cast %v : !ocl.ptr<!ocl.array<2 x f32>, private> to !ocl.ptr<f32, private>
  ocl.store %a, %p[%zero] : !ocl.ptr<f32, private>
  %last = scf.while (%j = %start) : (i32) -> i32 {
    %inside = arith.cmpi sge, %j, %none : i32
    scf.condition(%inside) %j : i32
  } do {
  ^bb0(%k: i32):
    %i = arith.index_cast %k : i32 to index
    ocl.store %a, %p[%i] : !ocl.ptr<f32, private>
    %next = arith.subi %k, %step : i32
    scf.yield %next : i32
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @unknown
// CHECK:         scf.while
