// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

ocl.kernel @k(%x: f32 {ocl.name = "x"}, %v: vector<4xi32> {ocl.name = "v"}) {
  // CHECK: ocl.group_reduce work_group add %x : f32
  %0 = ocl.group_reduce work_group add %x : f32
  // CHECK-NEXT: ocl.group_reduce sub_group max %x cluster 4 non_uniform : f32
  %1 = ocl.group_reduce sub_group max %x cluster 4 non_uniform : f32
  // CHECK-NEXT: ocl.group_scan work_group add %x : f32
  %2 = ocl.group_scan work_group add %x : f32
  // CHECK-NEXT: ocl.group_scan sub_group exclusive mul %x non_uniform : f32
  %3 = ocl.group_scan sub_group exclusive mul %x non_uniform : f32
  // CHECK-NEXT: ocl.sub_group local_id : index
  %lane = ocl.sub_group local_id : index
  // CHECK-NEXT: ocl.group_shuffle work_group %x[%lane] : f32
  %4 = ocl.group_shuffle work_group %x[%lane] : f32
  // CHECK-NEXT: ocl.group_shuffle sub_group %v[%lane] non_uniform : vector<4xi32>
  %5 = ocl.group_shuffle sub_group %v[%lane] non_uniform : vector<4xi32>
  // CHECK-NEXT: ocl.sub_group max_size : index
  %6 = ocl.sub_group max_size : index
  // CHECK-NEXT: ocl.barrier sub_group local global
  ocl.barrier sub_group local global
  ocl.return
}
