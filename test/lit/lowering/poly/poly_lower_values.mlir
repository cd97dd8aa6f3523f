// RUN: ocl-opt %s -p poly-lower-values | filecheck %s

// CHECK-LABEL: func.func @inside
// CHECK-NEXT:    %0 = arith.cmpi sgt, %n, %x : index
// CHECK-NEXT:    %1 = arith.cmpi sge, %x, %y : index
// CHECK-NEXT:    %2 = arith.andi %0, %1 : i1
// CHECK-NEXT:    %3 = arith.constant 3 : index
// CHECK-NEXT:    %4 = arith.andi %x, %3 : index
// CHECK-NEXT:    %5 = arith.constant 0 : index
// CHECK-NEXT:    %6 = arith.cmpi eq, %4, %5 : index
// CHECK-NEXT:    %b = arith.andi %2, %6 : i1
// CHECK-NEXT:    func.return %b : i1
func.func @inside(%y: index, %x: index, %n: index) -> i1 {
  %b = poly.contains #poly.set<"[n] -> { R[y, x] : y <= x < n and x mod 4 = 0 }"> (%y, %x) [%n] params ["n"]
  func.return %b : i1
}

// Quotients are rounded down, also those of negative numbers.
// CHECK-LABEL: func.func @quotients
// CHECK-NEXT:    %0 = arith.subi %x, %n : index
// CHECK-NEXT:    %1 = arith.constant 3 : index
// CHECK-NEXT:    %a = arith.shrsi %0, %1 : index
// CHECK:         %[[NEGATIVE:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK-NEXT:    %b = arith.select %[[NEGATIVE]], %{{.*}}, %{{.*}} : index
func.func @quotients(%x: index, %n: index) -> (index, index) {
  %a = poly.eval #poly.aff<"[n] -> { R[x] -> [(floor((x - n)/8))] }"> (%x) [%n] params ["n"]
  %b = poly.eval #poly.aff<"[n] -> { R[x] -> [(floor((x - n)/6))] }"> (%x) [%n] params ["n"]
  func.return %a, %b : index, index
}

// CHECK-LABEL: func.func @piecewise
// CHECK-NEXT:    %0 = arith.cmpi sge, %x, %n : index
// CHECK-NEXT:    %v = arith.select %0, %n, %x : index
func.func @piecewise(%x: index, %n: index) -> index {
  %v = poly.eval #poly.aff<"[n] -> { R[x] -> [(n)] : x >= n; R[x] -> [(x)] : x < n }"> (%x) [%n] params ["n"]
  func.return %v : index
}

// No extent is below 0.
// CHECK-LABEL: func.func @worth
// CHECK:         %[[LEAST:.*]] = arith.minsi
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[EXTENT:.*]] = arith.maxsi %[[LEAST]], %[[ZERO]] : index
// CHECK:         %[[SUM:.*]] = arith.addi
// CHECK-NEXT:    %s = arith.index_cast %[[SUM]] : index to i64
func.func @worth(%n: index, %m: index) -> i64 {
  %s = poly.score #poly.score<"6*[n]*[m] + 2*[min(5, n)]"> [%n, %m] params ["n", "m"]
  func.return %s : i64
}
