// RUN: ocl-opt %s | filecheck %s
// vload, vstore, halves, async copies, prefetch.

kernel void vectors(global float *x, global half *h, constant int *c, ulong i) {
  float3 v = vload3(i, x);
  vstore3(v + convert_float3(vload3(0, c)), 1, x);
  vstore_half(vload_half(i, h), 2, h);
  vstore_half4_rtz(vload_half4(0, h), i, h);
  vstorea_half3(vloada_half3(i, h), 0, h);
}

kernel void copies(global float *x, local float *t, int n) {
  prefetch(x, n);
  event_t e = async_work_group_copy(t, x, n, 0);
  e = async_work_group_strided_copy(x, t, 8, 2, e);
  wait_group_events(1, &e);
}

// CHECK-LABEL: ocl.kernel @vectors(%x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*"}, %h: !ocl.ptr<f16, global> {ocl.name = "h", ocl.type = "half*"}, %c: !ocl.ptr<i32, constant> {ocl.name = "c", ocl.type = "int*"}, %i: i64 {ocl.name = "i", ocl.type = "ulong"}) {
// CHECK-NEXT:     %0 = arith.index_cast %i : i64 to index
// CHECK-NEXT:     %v = ocl.vload %x[%0] : !ocl.ptr<f32, global> -> vector<3xf32>
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %1 = ocl.vload %c[%c0] : !ocl.ptr<i32, constant> -> vector<3xi32>
// CHECK-NEXT:     %2 = vec.sitofp %1 : vector<3xi32> to vector<3xf32>
// CHECK-NEXT:     %3 = arith.addf %v, %2 : vector<3xf32>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     ocl.vstore %3, %x[%c1] : vector<3xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:     %4 = arith.index_cast %i : i64 to index
// CHECK-NEXT:     %5 = ocl.load %h[%4] : !ocl.ptr<f16, global>
// CHECK-NEXT:     %6 = arith.extf %5 : f16 to f32
// CHECK-NEXT:     %7 = arith.truncf %6 : f32 to f16
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     ocl.store %7, %h[%c2] : !ocl.ptr<f16, global>
// CHECK-NEXT:     %8 = ocl.vload %h[%c0] : !ocl.ptr<f16, global> -> vector<4xf16>
// CHECK-NEXT:     %9 = vec.extf %8 : vector<4xf16> to vector<4xf32>
// CHECK-NEXT:     %10 = ocl.convert %9 rounding rtz : vector<4xf32> to vector<4xf16>
// CHECK-NEXT:     %11 = arith.index_cast %i : i64 to index
// CHECK-NEXT:     ocl.vstore %10, %h[%11] : vector<4xf16>, !ocl.ptr<f16, global>
// CHECK-NEXT:     %12 = arith.index_cast %i : i64 to index
// CHECK-NEXT:     %13 = ocl.cast %h : !ocl.ptr<f16, global> to !ocl.ptr<vector<3xf16>, global>
// CHECK-NEXT:     %14 = ocl.load %13[%12] : !ocl.ptr<vector<3xf16>, global>
// CHECK-NEXT:     %15 = vec.extf %14 : vector<3xf16> to vector<3xf32>
// CHECK-NEXT:     %16 = vec.truncf %15 : vector<3xf32> to vector<3xf16>
// CHECK-NEXT:     %17 = ocl.cast %h : !ocl.ptr<f16, global> to !ocl.ptr<vector<3xf16>, global>
// CHECK-NEXT:     ocl.store %16, %17[%c0] : !ocl.ptr<vector<3xf16>, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @copies(%x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*"}, %t: !ocl.ptr<f32, local> {ocl.name = "t", ocl.type = "float*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %e = ocl.alloca : !ocl.ptr<!ocl.event, private>
// CHECK-NEXT:     %0 = arith.index_cast %n : i32 to index
// CHECK-NEXT:     ocl.prefetch %x[%0] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %1 = arith.index_cast %n : i32 to index
// CHECK-NEXT:     %2 = ocl.null_event
// CHECK-NEXT:     %3 = ocl.async_copy %t, %x, %1, %2 : !ocl.ptr<f32, local>, !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.store %3, %e : !ocl.ptr<!ocl.event, private>
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %4 = ocl.load %e : !ocl.ptr<!ocl.event, private>
// CHECK-NEXT:     %5 = ocl.async_copy %x, %t, %c8, %4 stride %c2 : !ocl.ptr<f32, global>, !ocl.ptr<f32, local>
// CHECK-NEXT:     ocl.store %5, %e : !ocl.ptr<!ocl.event, private>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %6 = ocl.cast %e : !ocl.ptr<!ocl.event, private> to !ocl.ptr<!ocl.event, generic>
// CHECK-NEXT:     ocl.wait_events %c1, %6 : !ocl.ptr<!ocl.event, generic>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }
