// RUN: OCL_INVALID

func.func @f(%x: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.group_reduce': xor combines integers, got f32
  %0 = ocl.group_reduce sub_group xor %x : f32
  func.return
}

// -----

func.func @f(%x: vector<4xf32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.group_scan': combines scalars of 8 to 64 bits, got vector<4xf32>
  %0 = ocl.group_scan work_group add %x : vector<4xf32>
  func.return
}

// -----

func.func @f(%x: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.group_reduce': a cluster has a power of two of work-items, got 3
  %0 = ocl.group_reduce sub_group add %x cluster 3 : f32
  func.return
}

// -----

func.func @f(%x: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.group_reduce': only a sub-group has clusters
  %0 = ocl.group_reduce work_group add %x cluster 4 : f32
  func.return
}

// -----

func.func @f(%x: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.group_scan': only operations of a sub-group can be non_uniform
  %0 = ocl.group_scan work_group add %x non_uniform : f32
  func.return
}

// -----

func.func @f(%x: !ocl.ptr<f32, global>, %i: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.group_shuffle': work-items pass scalars and vectors on, got !ocl.ptr<f32, global>
  %0 = ocl.group_shuffle sub_group %x[%i] : !ocl.ptr<f32, global>
  func.return
}

// -----

wg.func @k(%x: f32 {ocl.name = "x"}) {
  %v = wg.context : !wg.context<f32>
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.reduce': a row has a power of two of slots up to 32, got 12
  %0 = wg.reduce add 12 %v : !wg.context<f32>
  wg.return
}

// -----

wg.func @k(%x: f32 {ocl.name = "x"}) {
  %v = wg.context : !wg.context<index>
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.scan': combines scalars of 8 to 64 bits, got index
  wg.scan add 16 %v to %v : !wg.context<index>
  wg.return
}
