// RUN: OCL_INVALID

// CHECK: expected 1 to 3 global sizes, got 4
func.func @dimensions() {
  pattern.launch @k global [1, 2, 3, 4] ()
  func.return
}

// -----

// CHECK: expected as many local sizes as global sizes, 2, got 1
func.func @local() {
  pattern.launch @k global [8, 8] local [4] ()
  func.return
}
