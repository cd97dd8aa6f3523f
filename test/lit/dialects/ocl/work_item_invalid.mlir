// RUN: OCL_INVALID

ocl.kernel @k() {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.global_id': dimension must be 0, 1 or 2, got 3
  %0 = ocl.global_id 3 : index
  ocl.return
}

// -----

ocl.kernel @k() {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.global_id': dimension must be 0, 1 or 2, got -1
  %0 = ocl.global_id -1 : index
  ocl.return
}

// -----

ocl.kernel @k() {
  // CHECK: [[# @LINE + 1]]:3: error: i32 should be of base attribute index
  %0 = ocl.global_id 0 : i32
  ocl.return
}

// -----

ocl.kernel @k() {
  // CHECK: [[# @LINE + 1]]:22: error: Expected integer literal
  %0 = ocl.global_id : index
  ocl.return
}
