// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// A pointer for each address space.
// CHECK: func.func private @pointers(!ocl.ptr<f32, private>, !ocl.ptr<f32, global>, !ocl.ptr<f32, constant>, !ocl.ptr<f32, local>, !ocl.ptr<f32, generic>)
func.func private @pointers(!ocl.ptr<f32, private>, !ocl.ptr<f32, global>, !ocl.ptr<f32, constant>, !ocl.ptr<f32, local>, !ocl.ptr<f32, generic>)

// What a pointer can point to.
// CHECK: func.func private @pointees(!ocl.ptr<i8, global>, !ocl.ptr<vector<16xf16>, global>, !ocl.ptr<!ocl.ptr<i64, global>, private>, !ocl.ptr<!ocl.array<4 x f64>, local>, !ocl.ptr<!ocl.event, private>)
func.func private @pointees(!ocl.ptr<i8, global>, !ocl.ptr<vector<16xf16>, global>, !ocl.ptr<!ocl.ptr<i64, global>, private>, !ocl.ptr<!ocl.array<4 x f64>, local>, !ocl.ptr<!ocl.event, private>)

// Arrays nest; the spaces around the x are needed.
// CHECK: func.func private @arrays(!ocl.ptr<!ocl.array<16 x f32>, local>, !ocl.ptr<!ocl.array<2 x !ocl.array<3 x vector<4xi32>>>, local>)
func.func private @arrays(!ocl.ptr<!ocl.array<16 x f32>, local>, !ocl.ptr<!ocl.array<2 x !ocl.array<3 x vector<4xi32>>>, local>)

// Structs: empty, nested, packed, aligned; fields may be named like words of the syntax.
// CHECK: func.func private @structs(!ocl.struct<"empty", {}>, !ocl.struct<"outer", {inner: !ocl.struct<"inner", {a: i8}>, next: !ocl.ptr<i8, global>, t: !ocl.array<4 x i16>}>, !ocl.struct<"p", {a: i8, b: i32} packed>, !ocl.struct<"q", {a: i8} align = 16>, !ocl.struct<"r", {a: i8} packed align = 4>)
func.func private @structs(!ocl.struct<"empty", {}>, !ocl.struct<"outer", {inner: !ocl.struct<"inner", {a: i8}>, next: !ocl.ptr<i8, global>, t: !ocl.array<4 x i16>}>, !ocl.struct<"p", {a: i8, b: i32} packed>, !ocl.struct<"q", {a: i8} align = 16>, !ocl.struct<"r", {a: i8} packed align = 4>)
// CHECK: func.func private @words(!ocl.struct<"a tag", {packed: i8, align: i32, x: f32, i32: i32, true: i8, loc: i8, vector: f32} packed>)
func.func private @words(!ocl.struct<"a tag", {packed: i8, align: i32, x: f32, i32: i32, true: i8, loc: i8, vector: f32} packed>)

// CHECK: func.func private @unions(!ocl.ptr<!ocl.union<"bits", {f: f32, u: i32, v: vector<4xi8>}>, private>)
func.func private @unions(!ocl.ptr<!ocl.union<"bits", {f: f32, u: i32, v: vector<4xi8>}>, private>)

// CHECK: func.func private @event(!ocl.event)
func.func private @event(!ocl.event)

// Attributes by themselves.
// CHECK: "test.op"() {a = #ocl<address_space local>, b = #ocl<atomic_kind umax>, c = #ocl<fence_order release>, d = #ocl<rounding rtp>} : () -> ()
"test.op"() {a = #ocl<address_space local>, b = #ocl<atomic_kind umax>, c = #ocl<fence_order release>, d = #ocl<rounding rtp>} : () -> ()
