// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// CHECK: ocl.constant @scalar : f32 = 1.500000e+00 : f32
ocl.constant @scalar : f32 = 1.5 : f32
// CHECK-NEXT: ocl.constant @table : !ocl.array<3 x i16> = [1 : i16, -2 : i16, 3 : i16]
ocl.constant @table : !ocl.array<3 x i16> = [1 : i16, -2 : i16, 3 : i16]
// CHECK-NEXT: ocl.constant @vector : vector<2xf64> = [1.000000e+00 : f64, 2.000000e+00 : f64]
ocl.constant @vector : vector<2xf64> = [1.0 : f64, 2.0 : f64]
// CHECK-NEXT: ocl.constant @nested : !ocl.array<2 x !ocl.array<2 x i8>> = {{\[\[}}1 : i8, 2 : i8], [3 : i8, 4 : i8]]
ocl.constant @nested : !ocl.array<2 x !ocl.array<2 x i8>> = [[1 : i8, 2 : i8], [3 : i8, 4 : i8]]
// CHECK-NEXT: ocl.constant @record : !ocl.struct<"pair", {x: f32, n: i32}> = [1.000000e+00 : f32, 2 : i32]
ocl.constant @record : !ocl.struct<"pair", {x: f32, n: i32}> = [1.0 : f32, 2 : i32]
// A union holds its first field.
// CHECK-NEXT: ocl.constant @either : !ocl.union<"u", {f: f32, n: i32}> = [1.000000e+00 : f32] attributes {note = "kept"}
ocl.constant @either : !ocl.union<"u", {f: f32, n: i32}> = [1.0 : f32] attributes {note = "kept"}

ocl.kernel @use() {
  // CHECK: %0 = ocl.address_of @table : !ocl.ptr<!ocl.array<3 x i16>, constant>
  %0 = ocl.address_of @table : !ocl.ptr<!ocl.array<3 x i16>, constant>
  ocl.return
}
