// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

ocl.kernel @queries() {
  // CHECK: %0 = ocl.global_id 0 : index
  %0 = ocl.global_id 0 : index
  // CHECK-NEXT: %1 = ocl.local_id 1 : index
  %1 = ocl.local_id 1 : index
  // CHECK-NEXT: %2 = ocl.group_id 2 : index
  %2 = ocl.group_id 2 : index
  // CHECK-NEXT: %3 = ocl.global_size 0 : index
  %3 = ocl.global_size 0 : index
  // CHECK-NEXT: %4 = ocl.local_size 1 : index
  %4 = ocl.local_size 1 : index
  // CHECK-NEXT: %5 = ocl.num_groups 2 : index
  %5 = ocl.num_groups 2 : index
  // CHECK-NEXT: %6 = ocl.global_offset 0 : index
  %6 = ocl.global_offset 0 : index
  // CHECK-NEXT: %7 = ocl.work_dim : index
  %7 = ocl.work_dim : index
  // CHECK-NEXT: %8 = ocl.global_id 0 {note = 1 : i32} : index
  %8 = ocl.global_id 0 {note = 1 : i32} : index
  ocl.return
}

// Helper functions ask too.
func.func @helper() -> index {
  // CHECK: ocl.local_id 0 : index
  %0 = ocl.local_id 0 : index
  func.return %0 : index
}
