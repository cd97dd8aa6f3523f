// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// xDSL's arith with the vector forms that MLIR has.

func.func @compare(%a: vector<4xi32>, %x: vector<3xf64>) {
  // CHECK: %m = arith.cmpi slt, %a, %a : vector<4xi32>
  %m = arith.cmpi slt, %a, %a : vector<4xi32>
  // CHECK-NEXT: %n = arith.cmpf oeq, %x, %x : vector<3xf64>
  %n = arith.cmpf oeq, %x, %x : vector<3xf64>
  // CHECK-NEXT: %w = arith.extsi %n : vector<3xi1> to vector<3xi64>
  %w = arith.extsi %n : vector<3xi1> to vector<3xi64>
  func.return
}

func.func @select(%m: vector<4xi1>, %c: i1, %a: vector<4xi32>, %s: i32) {
  // CHECK: %0 = arith.select %m, %a, %a : vector<4xi1>, vector<4xi32>
  %0 = arith.select %m, %a, %a : vector<4xi1>, vector<4xi32>
  // CHECK-NEXT: %1 = arith.select %c, %a, %a : vector<4xi32>
  %1 = arith.select %c, %a, %a : vector<4xi32>
  // CHECK-NEXT: %2 = arith.select %c, %s, %s : i32
  %2 = arith.select %c, %s, %s : i32
  func.return
}

func.func @cast(%a: vector<4xi32>, %x: vector<4xf32>) {
  // CHECK: %0 = arith.extsi %a : vector<4xi32> to vector<4xi64>
  %0 = arith.extsi %a : vector<4xi32> to vector<4xi64>
  // CHECK-NEXT: %1 = arith.extui %a : vector<4xi32> to vector<4xi64>
  %1 = arith.extui %a : vector<4xi32> to vector<4xi64>
  // CHECK-NEXT: %2 = arith.trunci %a : vector<4xi32> to vector<4xi8>
  %2 = arith.trunci %a : vector<4xi32> to vector<4xi8>
  // CHECK-NEXT: %3 = arith.sitofp %a : vector<4xi32> to vector<4xf32>
  %3 = arith.sitofp %a : vector<4xi32> to vector<4xf32>
  // CHECK-NEXT: %4 = arith.uitofp %a : vector<4xi32> to vector<4xf16>
  %4 = arith.uitofp %a : vector<4xi32> to vector<4xf16>
  // CHECK-NEXT: %5 = arith.fptosi %x : vector<4xf32> to vector<4xi8>
  %5 = arith.fptosi %x : vector<4xf32> to vector<4xi8>
  // CHECK-NEXT: %6 = arith.fptoui %x : vector<4xf32> to vector<4xi64>
  %6 = arith.fptoui %x : vector<4xf32> to vector<4xi64>
  // CHECK-NEXT: %7 = arith.extf %x : vector<4xf32> to vector<4xf64>
  %7 = arith.extf %x : vector<4xf32> to vector<4xf64>
  // CHECK-NEXT: %8 = arith.truncf %x : vector<4xf32> to vector<4xf16>
  %8 = arith.truncf %x : vector<4xf32> to vector<4xf16>
  // CHECK-NEXT: %9 = arith.index_cast %a : vector<4xi32> to vector<4xindex>
  %9 = arith.index_cast %a : vector<4xi32> to vector<4xindex>
  func.return
}
