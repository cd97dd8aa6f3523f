// RUN: ocl-opt %s | filecheck %s
// Structs are values, unless they hold arrays or their address is taken.

typedef struct {
  float3 pos;
  int id;
  bool on;
} item_t;

typedef struct {
  float m[4];
  item_t item;
} pair_t;

typedef struct node {
  int value;
  global struct node *next;
} node_t;

kernel void values(global item_t *items) {
  item_t a = items[0];
  a.id += 1;
  a.pos.y = 2.0f;
  a.on = a.id > 3;
  items[1] = a;
  items[2] = (item_t){.id = 4};
}

kernel void memory(global pair_t *pairs, int i) {
  pair_t p = pairs[i];
  p.m[i] = p.item.id;
  pairs[i].item.pos.x = p.m[0];
  pairs[0] = p;
}

kernel void list(global node_t *head) {
  while (head) {
    head->value++;
    head = head->next;
  }
}

union bits {
  float f;
  uint u;
};

kernel void unions(global uint *x, float f) {
  union bits b;
  b.f = f;
  union bits c = b;
  x[0] = c.u;
}

// CHECK-LABEL: ocl.kernel @values(%items: !ocl.ptr<!ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>, global> {ocl.name = "items", ocl.type = "item_t*"}) {
// CHECK-NEXT:     %a = ocl.load %items : !ocl.ptr<!ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>, global>
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %0 = ocl.extract %a["id"] : !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}> -> i32
// CHECK-NEXT:     %1 = arith.addi %0, %c1_i32 : i32
// CHECK-NEXT:     %a_1 = ocl.insert %1, %a["id"] : i32, !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>
// CHECK-NEXT:     %cst = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %2 = ocl.extract %a_1["pos"] : !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}> -> vector<3xf32>
// CHECK-NEXT:     %3 = vector.insert %cst, %2 [1] : f32 into vector<3xf32>
// CHECK-NEXT:     %a_2 = ocl.insert %3, %a_1["pos"] : vector<3xf32>, !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>
// CHECK-NEXT:     %4 = ocl.extract %a_2["id"] : !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}> -> i32
// CHECK-NEXT:     %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:     %5 = arith.cmpi sgt, %4, %c3_i32 : i32
// CHECK-NEXT:     %6 = arith.extui %5 : i1 to i8
// CHECK-NEXT:     %a_3 = ocl.insert %6, %a_2["on"] : i8, !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     ocl.store %a_3, %items[%c1] : !ocl.ptr<!ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>, global>
// CHECK-NEXT:     %7 = ub.poison : !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>
// CHECK-NEXT:     %cst_1 = arith.constant dense<0.000000e+00> : vector<3xf32>
// CHECK-NEXT:     %8 = ocl.insert %cst_1, %7["pos"] : vector<3xf32>, !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>
// CHECK-NEXT:     %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:     %9 = ocl.insert %c4_i32, %8["id"] : i32, !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>
// CHECK-NEXT:     %c0_i8 = arith.constant 0 : i8
// CHECK-NEXT:     %10 = ocl.insert %c0_i8, %9["on"] : i8, !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     ocl.store %10, %items[%c2] : !ocl.ptr<!ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @memory(%pairs: !ocl.ptr<!ocl.struct<"pair_t", {m: !ocl.array<4 x f32>, item: !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>}>, global> {ocl.name = "pairs", ocl.type = "pair_t*"}, %i: i32 {ocl.name = "i", ocl.type = "int"}) {
// CHECK-NEXT:     %p = ocl.alloca : !ocl.ptr<!ocl.struct<"pair_t", {m: !ocl.array<4 x f32>, item: !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>}>, private>
// CHECK-NEXT:     %0 = arith.index_cast %i : i32 to index
// CHECK-NEXT:     %1 = ocl.load %pairs[%0] : !ocl.ptr<!ocl.struct<"pair_t", {m: !ocl.array<4 x f32>, item: !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>}>, global>
// CHECK-NEXT:     ocl.store %1, %p : !ocl.ptr<!ocl.struct<"pair_t", {m: !ocl.array<4 x f32>, item: !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>}>, private>
// CHECK-NEXT:     %2 = ocl.member %p["item"] : !ocl.ptr<!ocl.struct<"pair_t", {m: !ocl.array<4 x f32>, item: !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>}>, private> -> !ocl.ptr<!ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>, private>
// CHECK-NEXT:     %3 = ocl.member %2["id"] : !ocl.ptr<!ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>, private> -> !ocl.ptr<i32, private>
// CHECK-NEXT:     %4 = ocl.load %3 : !ocl.ptr<i32, private>
// CHECK-NEXT:     %5 = arith.sitofp %4 : i32 to f32
// CHECK-NEXT:     %6 = ocl.member %p["m"] : !ocl.ptr<!ocl.struct<"pair_t", {m: !ocl.array<4 x f32>, item: !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>}>, private> -> !ocl.ptr<!ocl.array<4 x f32>, private>
// CHECK-NEXT:     %7 = ocl.cast %6 : !ocl.ptr<!ocl.array<4 x f32>, private> to !ocl.ptr<f32, private>
// CHECK-NEXT:     %8 = arith.index_cast %i : i32 to index
// CHECK-NEXT:     ocl.store %5, %7[%8] : !ocl.ptr<f32, private>
// CHECK-NEXT:     %9 = ocl.member %p["m"] : !ocl.ptr<!ocl.struct<"pair_t", {m: !ocl.array<4 x f32>, item: !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>}>, private> -> !ocl.ptr<!ocl.array<4 x f32>, private>
// CHECK-NEXT:     %10 = ocl.cast %9 : !ocl.ptr<!ocl.array<4 x f32>, private> to !ocl.ptr<f32, private>
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %11 = ocl.load %10 : !ocl.ptr<f32, private>
// CHECK-NEXT:     %12 = arith.index_cast %i : i32 to index
// CHECK-NEXT:     %13 = ocl.offset %pairs[%12] : !ocl.ptr<!ocl.struct<"pair_t", {m: !ocl.array<4 x f32>, item: !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>}>, global>
// CHECK-NEXT:     %14 = ocl.member %13["item"] : !ocl.ptr<!ocl.struct<"pair_t", {m: !ocl.array<4 x f32>, item: !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>}>, global> -> !ocl.ptr<!ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>, global>
// CHECK-NEXT:     %15 = ocl.member %14["pos"] : !ocl.ptr<!ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>, global> -> !ocl.ptr<vector<3xf32>, global>
// CHECK-NEXT:     %16 = ocl.cast %15 : !ocl.ptr<vector<3xf32>, global> to !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.store %11, %16[%c0] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %17 = ocl.load %p : !ocl.ptr<!ocl.struct<"pair_t", {m: !ocl.array<4 x f32>, item: !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>}>, private>
// CHECK-NEXT:     ocl.store %17, %pairs : !ocl.ptr<!ocl.struct<"pair_t", {m: !ocl.array<4 x f32>, item: !ocl.struct<"item_t", {pos: vector<3xf32>, id: i32, on: i8}>}>, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @list(%head: !ocl.ptr<!ocl.struct<"node", {value: i32, next: !ocl.ptr<i8, global>}>, global> {ocl.name = "head", ocl.type = "node*"}) {
// CHECK-NEXT:     %head_1 = scf.while (%head_2 = %head) : (!ocl.ptr<!ocl.struct<"node", {value: i32, next: !ocl.ptr<i8, global>}>, global>) -> !ocl.ptr<!ocl.struct<"node", {value: i32, next: !ocl.ptr<i8, global>}>, global> {
// CHECK-NEXT:       %0 = ocl.ptr_to_int %head_2 : !ocl.ptr<!ocl.struct<"node", {value: i32, next: !ocl.ptr<i8, global>}>, global>
// CHECK-NEXT:       %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:       %1 = arith.cmpi ne, %0, %c0_i64 : i64
// CHECK-NEXT:       scf.condition(%1) %head_2 : !ocl.ptr<!ocl.struct<"node", {value: i32, next: !ocl.ptr<i8, global>}>, global>
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%head_3: !ocl.ptr<!ocl.struct<"node", {value: i32, next: !ocl.ptr<i8, global>}>, global>):
// CHECK-NEXT:       %2 = ocl.member %head_3["value"] : !ocl.ptr<!ocl.struct<"node", {value: i32, next: !ocl.ptr<i8, global>}>, global> -> !ocl.ptr<i32, global>
// CHECK-NEXT:       %3 = ocl.load %2 : !ocl.ptr<i32, global>
// CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:       %4 = arith.addi %3, %c1_i32 : i32
// CHECK-NEXT:       ocl.store %4, %2 : !ocl.ptr<i32, global>
// CHECK-NEXT:       %5 = ocl.member %head_3["next"] : !ocl.ptr<!ocl.struct<"node", {value: i32, next: !ocl.ptr<i8, global>}>, global> -> !ocl.ptr<!ocl.ptr<i8, global>, global>
// CHECK-NEXT:       %6 = ocl.load %5 : !ocl.ptr<!ocl.ptr<i8, global>, global>
// CHECK-NEXT:       %head_4 = ocl.cast %6 : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"node", {value: i32, next: !ocl.ptr<i8, global>}>, global>
// CHECK-NEXT:       scf.yield %head_4 : !ocl.ptr<!ocl.struct<"node", {value: i32, next: !ocl.ptr<i8, global>}>, global>
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @unions(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "uint*"}, %f: f32 {ocl.name = "f", ocl.type = "float"}) attributes {ocl.unsigned = ["b.u", "c.u"]} {
// CHECK-NEXT:     %b = ocl.alloca : !ocl.ptr<!ocl.union<"bits", {f: f32, u: i32}>, private>
// CHECK-NEXT:     %c = ocl.alloca : !ocl.ptr<!ocl.union<"bits", {f: f32, u: i32}>, private>
// CHECK-NEXT:     %0 = ocl.member %b["f"] : !ocl.ptr<!ocl.union<"bits", {f: f32, u: i32}>, private> -> !ocl.ptr<f32, private>
// CHECK-NEXT:     ocl.store %f, %0 : !ocl.ptr<f32, private>
// CHECK-NEXT:     %1 = ocl.cast %c : !ocl.ptr<!ocl.union<"bits", {f: f32, u: i32}>, private> to !ocl.ptr<!ocl.struct<"bits.bytes", {bytes: !ocl.array<4 x i8>} align = 4>, private>
// CHECK-NEXT:     %2 = ocl.cast %b : !ocl.ptr<!ocl.union<"bits", {f: f32, u: i32}>, private> to !ocl.ptr<!ocl.struct<"bits.bytes", {bytes: !ocl.array<4 x i8>} align = 4>, private>
// CHECK-NEXT:     %3 = ocl.load %2 : !ocl.ptr<!ocl.struct<"bits.bytes", {bytes: !ocl.array<4 x i8>} align = 4>, private>
// CHECK-NEXT:     ocl.store %3, %1 : !ocl.ptr<!ocl.struct<"bits.bytes", {bytes: !ocl.array<4 x i8>} align = 4>, private>
// CHECK-NEXT:     %4 = ocl.member %c["u"] : !ocl.ptr<!ocl.union<"bits", {f: f32, u: i32}>, private> -> !ocl.ptr<i32, private>
// CHECK-NEXT:     %5 = ocl.load %4 : !ocl.ptr<i32, private>
// CHECK-NEXT:     ocl.store %5, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }
