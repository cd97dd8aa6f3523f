// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// Two parallel regions with a barrier between them: what each work-item keeps is in a context.
// CHECK: wg.func @k(%x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*"}) attributes {reqd_work_group_size = array<i64: 8, 4, 1>, local_size = array<i64: 8, 4, 1>} {
wg.func @k(%x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*"}) attributes {reqd_work_group_size = array<i64: 8, 4, 1>, local_size = array<i64: 8, 4, 1>} {
  // CHECK-NEXT: %lx = ocl.local_size 0 : index
  %lx = ocl.local_size 0 : index
  %ly = ocl.local_size 1 : index
  %lz = ocl.local_size 2 : index
  // CHECK: %v = wg.context : !wg.context<f32>
  %v = wg.context : !wg.context<f32>
  // CHECK-NEXT: %t = wg.context : !wg.context<!ocl.array<8 x f32>>
  %t = wg.context : !wg.context<!ocl.array<8 x f32>>
  // CHECK-NEXT: %active = wg.context : !wg.context<i1>
  %active = wg.context : !wg.context<i1>
  // CHECK-NEXT: %n = wg.context : !wg.context<index>
  %n = wg.context : !wg.context<index>
  // CHECK-NEXT: wg.parallel (%i, %j, %k) in (%lx, %ly, %lz) {
  wg.parallel (%i, %j, %k) in (%lx, %ly, %lz) {
    // CHECK-NEXT: %0 = ocl.load %x[%i] : !ocl.ptr<f32, global>
    %0 = ocl.load %x[%i] : !ocl.ptr<f32, global>
    // CHECK-NEXT: wg.put %0, %v[%i, %j, %k] : !wg.context<f32>
    wg.put %0, %v[%i, %j, %k] : !wg.context<f32>
    // CHECK-NEXT: wg.put %i, %n[%i, %j, %k] : !wg.context<index>
    wg.put %i, %n[%i, %j, %k] : !wg.context<index>
    // CHECK-NEXT: %1 = wg.slot %t[%i, %j, %k] : !wg.context<!ocl.array<8 x f32>> -> !ocl.ptr<!ocl.array<8 x f32>, private>
    %1 = wg.slot %t[%i, %j, %k] : !wg.context<!ocl.array<8 x f32>> -> !ocl.ptr<!ocl.array<8 x f32>, private>
    // CHECK-NEXT: }
  }
  // CHECK-NEXT: %any = wg.any %active : !wg.context<i1>
  %any = wg.any %active : !wg.context<i1>
  // Uniform results: every work-item yields the same value.
  // CHECK-NEXT: %u, %w = wg.parallel (%i2, %j2, %k2) in (%lx, %ly, %lz) {
  %u, %w = wg.parallel (%i2, %j2, %k2) in (%lx, %ly, %lz) {
    // CHECK-NEXT: %2 = wg.get %v[%i2, %j2, %k2] : !wg.context<f32>
    %2 = wg.get %v[%i2, %j2, %k2] : !wg.context<f32>
    // CHECK-NEXT: wg.yield %2, %any : f32, i1
    wg.yield %2, %any : f32, i1
    // CHECK-NEXT: } : f32, i1
  } : f32, i1
  // Attributes stand at the end.
  // CHECK-NEXT: wg.parallel (%i3, %j3, %k3) in (%lx, %ly, %lz) {
  // CHECK-NEXT: } attributes {note = "kept"}
  wg.parallel (%i3, %j3, %k3) in (%lx, %ly, %lz) {
  } attributes {note = "kept"}
  // CHECK-NEXT: wg.return
  wg.return
}

// One of two forms of a region runs, and is measured.
// CHECK: wg.func @choice() {
wg.func @choice() {
  // CHECK-NEXT: %first = wg.choose 3
  %first = wg.choose 3
  // CHECK-NEXT: wg.chosen %first
  wg.chosen %first
  wg.return
}

// Uniform control flow around parallel regions; queries of the group are legal.
// CHECK: wg.func @loop(%n: i32 {ocl.name = "n"}) {
wg.func @loop(%n: i32 {ocl.name = "n"}) {
  %g = ocl.group_id 0 : index
  %ng = ocl.num_groups 0 : index
  %one = arith.constant 1 : index
  // CHECK: scf.for %s = %g to %ng step %one {
  scf.for %s = %g to %ng step %one {
    // CHECK-NEXT: wg.parallel (%i, %j, %k) in (%one, %one, %one) {
    wg.parallel (%i, %j, %k) in (%one, %one, %one) {
      // CHECK-NEXT: %id = ocl.global_offset 0 : index
      %id = ocl.global_offset 0 : index
    }
  }
  wg.return
}
