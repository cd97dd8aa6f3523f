// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

ocl.kernel @allocate() {
  // CHECK: %0 = ocl.alloca : !ocl.ptr<!ocl.array<8 x f32>, private>
  %0 = ocl.alloca : !ocl.ptr<!ocl.array<8 x f32>, private>
  // CHECK-NEXT: %1 = ocl.local_alloc : !ocl.ptr<i32, local>
  %1 = ocl.local_alloc : !ocl.ptr<i32, local>
  // CHECK-NEXT: %2 = ocl.null : !ocl.ptr<f32, global>
  %2 = ocl.null : !ocl.ptr<f32, global>
  ocl.return
}

ocl.kernel @access(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %c: !ocl.ptr<vector<4xi8>, constant> {ocl.name = "c"}) {
  // CHECK: %i = ocl.global_id 0 : index
  %i = ocl.global_id 0 : index
  // CHECK-NEXT: %0 = ocl.load %p : !ocl.ptr<f32, global>
  %0 = ocl.load %p : !ocl.ptr<f32, global>
  // CHECK-NEXT: %1 = ocl.load %c[%i] : !ocl.ptr<vector<4xi8>, constant>
  %1 = ocl.load %c[%i] : !ocl.ptr<vector<4xi8>, constant>
  // CHECK-NEXT: %2 = ocl.load volatile %p[%i] : !ocl.ptr<f32, global>
  %2 = ocl.load volatile %p[%i] : !ocl.ptr<f32, global>
  // CHECK-NEXT: ocl.store %0, %p : !ocl.ptr<f32, global>
  ocl.store %0, %p : !ocl.ptr<f32, global>
  // CHECK-NEXT: ocl.store volatile %0, %p[%i] {note} : !ocl.ptr<f32, global>
  ocl.store volatile %0, %p[%i] {note} : !ocl.ptr<f32, global>
  // CHECK-NEXT: %3 = ocl.vload %p[%i] : !ocl.ptr<f32, global> -> vector<3xf32>
  %3 = ocl.vload %p[%i] : !ocl.ptr<f32, global> -> vector<3xf32>
  // CHECK-NEXT: ocl.vstore %3, %p[%i] : vector<3xf32>, !ocl.ptr<f32, global>
  ocl.vstore %3, %p[%i] : vector<3xf32>, !ocl.ptr<f32, global>
  // CHECK-NEXT: ocl.prefetch %p[%i] : !ocl.ptr<f32, global>
  ocl.prefetch %p[%i] : !ocl.ptr<f32, global>
  ocl.return
}

func.func @address(%p: !ocl.ptr<!ocl.array<4 x f32>, local>, %s: !ocl.ptr<!ocl.struct<"body", {pos: vector<4xf32>, id: i32}>, global>, %i: index) {
  // CHECK: %0 = ocl.offset %p[%i] : !ocl.ptr<!ocl.array<4 x f32>, local>
  %0 = ocl.offset %p[%i] : !ocl.ptr<!ocl.array<4 x f32>, local>
  // CHECK-NEXT: %1 = ocl.cast %0 : !ocl.ptr<!ocl.array<4 x f32>, local> to !ocl.ptr<f32, local>
  %1 = ocl.cast %0 : !ocl.ptr<!ocl.array<4 x f32>, local> to !ocl.ptr<f32, local>
  // CHECK-NEXT: %2 = ocl.cast %1 : !ocl.ptr<f32, local> to !ocl.ptr<f32, generic>
  %2 = ocl.cast %1 : !ocl.ptr<f32, local> to !ocl.ptr<f32, generic>
  // CHECK-NEXT: %3 = ocl.cast %2 : !ocl.ptr<f32, generic> to !ocl.ptr<i8, global>
  %3 = ocl.cast %2 : !ocl.ptr<f32, generic> to !ocl.ptr<i8, global>
  // CHECK-NEXT: %4 = ocl.member %s["pos"] : !ocl.ptr<!ocl.struct<"body", {pos: vector<4xf32>, id: i32}>, global> -> !ocl.ptr<vector<4xf32>, global>
  %4 = ocl.member %s["pos"] : !ocl.ptr<!ocl.struct<"body", {pos: vector<4xf32>, id: i32}>, global> -> !ocl.ptr<vector<4xf32>, global>
  // CHECK-NEXT: %5 = ocl.ptr_to_int %4 : !ocl.ptr<vector<4xf32>, global>
  %5 = ocl.ptr_to_int %4 : !ocl.ptr<vector<4xf32>, global>
  // CHECK-NEXT: %6 = ocl.int_to_ptr %5 : !ocl.ptr<i32, global>
  %6 = ocl.int_to_ptr %5 : !ocl.ptr<i32, global>
  // CHECK-NEXT: %7 = ocl.is_in local %6 : !ocl.ptr<i32, global>
  %7 = ocl.is_in local %6 : !ocl.ptr<i32, global>
  func.return
}
