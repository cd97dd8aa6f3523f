// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// CHECK: builtin.module {

// CHECK-NEXT: ocl.kernel @empty() {
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
ocl.kernel @empty() {
  ocl.return
}

// Parameters have a name, and may have their type in C and its qualifiers.
// CHECK: ocl.kernel @saxpy(%x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*", ocl.const, ocl.restrict}, %y: !ocl.ptr<f32, global> {ocl.name = "y", ocl.type = "float*", ocl.volatile}, %a: f32 {ocl.name = "a", ocl.type = "float"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
ocl.kernel @saxpy(
  %x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*", ocl.const, ocl.restrict},
  %y: !ocl.ptr<f32, global> {ocl.name = "y", ocl.type = "float*", ocl.volatile},
  %a: f32 {ocl.name = "a", ocl.type = "float"}
) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  %i = ocl.global_id 0 : index
  %0 = ocl.load %x[%i] : !ocl.ptr<f32, global>
  %1 = ocl.load %y[%i] : !ocl.ptr<f32, global>
  %2 = arith.mulf %a, %0 : f32
  %3 = arith.addf %2, %1 : f32
  ocl.store %3, %y[%i] : !ocl.ptr<f32, global>
  // CHECK: ocl.return
  ocl.return
}

// Every parameter type: scalars, vectors, structs, unions, and pointers to three spaces.
// CHECK: ocl.kernel @parameters(%a: i8 {ocl.name = "a"}, %b: f16 {ocl.name = "b"}, %c: vector<3xi64> {ocl.name = "c"}, %d: !ocl.struct<"s", {x: f32}> {ocl.name = "d"}, %e: !ocl.union<"u", {f: f32, i: i32}> {ocl.name = "e"}, %f: !ocl.ptr<i8, constant> {ocl.name = "f"}, %g: !ocl.ptr<f64, local> {ocl.name = "g"}) attributes {work_group_size_hint = array<i64: 8, 8, 1>, note = "kept"} {
ocl.kernel @parameters(
  %a: i8 {ocl.name = "a"}, %b: f16 {ocl.name = "b"}, %c: vector<3xi64> {ocl.name = "c"},
  %d: !ocl.struct<"s", {x: f32}> {ocl.name = "d"},
  %e: !ocl.union<"u", {f: f32, i: i32}> {ocl.name = "e"},
  %f: !ocl.ptr<i8, constant> {ocl.name = "f"}, %g: !ocl.ptr<f64, local> {ocl.name = "g"}
) attributes {work_group_size_hint = array<i64: 8, 8, 1>, note = "kept"} {
  ocl.return
}

// Unstructured control flow: more than one block.
// CHECK:      ocl.kernel @blocks(%n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:   cf.br ^last(%n : i32)
// CHECK-NEXT: ^last(%m: i32):
// CHECK-NEXT:   ocl.return
ocl.kernel @blocks(%n: i32 {ocl.name = "n"}) {
  cf.br ^last(%n : i32)
^last(%m: i32):
  ocl.return
}
