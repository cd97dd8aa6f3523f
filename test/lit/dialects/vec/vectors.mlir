// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// The operations of MLIR's arith that xDSL has for scalars only.

func.func @compare(%a: vector<4xi32>, %x: vector<3xf64>) {
  // CHECK: %m = vec.cmpi slt, %a, %a : vector<4xi32>
  %m = vec.cmpi slt, %a, %a : vector<4xi32>
  // CHECK-NEXT: %n = vec.cmpf oeq, %x, %x : vector<3xf64>
  %n = vec.cmpf oeq, %x, %x : vector<3xf64>
  // CHECK-NEXT: %w = vec.extsi %n : vector<3xi1> to vector<3xi64>
  %w = vec.extsi %n : vector<3xi1> to vector<3xi64>
  func.return
}

func.func @select(%m: vector<4xi1>, %c: i1, %a: vector<4xi32>, %s: i32) {
  // CHECK: %0 = vec.select %m, %a, %a : vector<4xi1>, vector<4xi32>
  %0 = vec.select %m, %a, %a : vector<4xi1>, vector<4xi32>
  // CHECK-NEXT: %1 = arith.select %c, %a, %a : vector<4xi32>
  %1 = arith.select %c, %a, %a : vector<4xi32>
  // CHECK-NEXT: %2 = arith.select %c, %s, %s : i32
  %2 = arith.select %c, %s, %s : i32
  func.return
}

func.func @cast(%a: vector<4xi32>, %x: vector<4xf32>) {
  // CHECK: %0 = vec.extsi %a : vector<4xi32> to vector<4xi64>
  %0 = vec.extsi %a : vector<4xi32> to vector<4xi64>
  // CHECK-NEXT: %1 = vec.extui %a : vector<4xi32> to vector<4xi64>
  %1 = vec.extui %a : vector<4xi32> to vector<4xi64>
  // CHECK-NEXT: %2 = vec.trunci %a : vector<4xi32> to vector<4xi8>
  %2 = vec.trunci %a : vector<4xi32> to vector<4xi8>
  // CHECK-NEXT: %3 = vec.sitofp %a : vector<4xi32> to vector<4xf32>
  %3 = vec.sitofp %a : vector<4xi32> to vector<4xf32>
  // CHECK-NEXT: %4 = vec.uitofp %a : vector<4xi32> to vector<4xf16>
  %4 = vec.uitofp %a : vector<4xi32> to vector<4xf16>
  // CHECK-NEXT: %5 = vec.fptosi %x : vector<4xf32> to vector<4xi8>
  %5 = vec.fptosi %x : vector<4xf32> to vector<4xi8>
  // CHECK-NEXT: %6 = vec.fptoui %x : vector<4xf32> to vector<4xi64>
  %6 = vec.fptoui %x : vector<4xf32> to vector<4xi64>
  // CHECK-NEXT: %7 = vec.extf %x : vector<4xf32> to vector<4xf64>
  %7 = vec.extf %x : vector<4xf32> to vector<4xf64>
  // CHECK-NEXT: %8 = vec.truncf %x : vector<4xf32> to vector<4xf16>
  %8 = vec.truncf %x : vector<4xf32> to vector<4xf16>
  // CHECK-NEXT: %9 = vec.index_cast %a : vector<4xi32> to vector<4xindex>
  %9 = vec.index_cast %a : vector<4xi32> to vector<4xindex>
  func.return
}
