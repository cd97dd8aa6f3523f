// RUN: ocl-opt %s | filecheck %s
// Arrays, pointer arithmetic, address-taken variables, local and constant memory.

constant int table[] = {1, 2, 3};
constant float2 pairs[2] = {{1, 2}};

kernel void arrays(global int *out, int n) {
  int a[4] = {1, [2] = 3};
  int zeros[64] = {0};
  int grid[2][3];
  grid[n][1] = a[n] + zeros[n];
  out[0] = grid[1][n] + table[n] + pairs[1].y;
}

kernel void arithmetic(global int *p, global int *q) {
  global int *r = p + 3;
  *r++ = 1;
  r -= 2;
  q[0] = r - p;
  if (r < q && r)
    q[1] = *(r + q[2]);
}

void set(int *where) { *where = 5; }

kernel void address_taken(global int *out) {
  int x;
  set(&x);
  out[0] = x;
}

kernel void local_memory(global float *out) {
  local float tile[8][9];
  local int count;
  size_t l = get_local_id(0);
  if (l == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l][l] = count;
  out[l] = tile[0][l];
}

kernel void casts(global uchar *bytes, volatile global int *v) {
  global uint *words = (global uint *)(bytes + 4);
  v[0] = words[1];
  v[1]++;
  ulong address = (ulong)bytes;
  v[2] = *(global int *)address;
}

// CHECK: ocl.constant @table : !ocl.array<3 x i32> = [1 : i32, 2 : i32, 3 : i32]

// CHECK: ocl.constant @pairs : !ocl.array<2 x vector<2xf32>> = [[1.000000e+00 : f32, 2.000000e+00 : f32], [0.000000e+00 : f32, 0.000000e+00 : f32]]

// CHECK-LABEL: func.func private @set(%where: !ocl.ptr<i32, private>) {
// CHECK-NEXT:     %c5_i32 = arith.constant 5 : i32
// CHECK-NEXT:     ocl.store %c5_i32, %where : !ocl.ptr<i32, private>
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @arrays(%out: !ocl.ptr<i32, global> {ocl.name = "out", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %a = ocl.alloca : !ocl.ptr<!ocl.array<4 x i32>, private>
// CHECK-NEXT:     %0 = ocl.cast %a : !ocl.ptr<!ocl.array<4 x i32>, private> to !ocl.ptr<i32, private>
// CHECK-NEXT:     %zeros = ocl.alloca : !ocl.ptr<!ocl.array<64 x i32>, private>
// CHECK-NEXT:     %1 = ocl.cast %zeros : !ocl.ptr<!ocl.array<64 x i32>, private> to !ocl.ptr<i32, private>
// CHECK-NEXT:     %grid = ocl.alloca : !ocl.ptr<!ocl.array<2 x !ocl.array<3 x i32>>, private>
// CHECK-NEXT:     %2 = ocl.cast %grid : !ocl.ptr<!ocl.array<2 x !ocl.array<3 x i32>>, private> to !ocl.ptr<!ocl.array<3 x i32>, private>
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     ocl.store %c1_i32, %0[%c0] : !ocl.ptr<i32, private>
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     ocl.store %c0_i32, %0[%c1] : !ocl.ptr<i32, private>
// CHECK-NEXT:     %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     ocl.store %c3_i32, %0[%c2] : !ocl.ptr<i32, private>
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     ocl.store %c0_i32, %0[%c3] : !ocl.ptr<i32, private>
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     scf.for %3 = %c0 to %c64 step %c1 {
// CHECK-NEXT:       %c0_i32_1 = arith.constant 0 : i32
// CHECK-NEXT:       ocl.store %c0_i32_1, %1[%3] : !ocl.ptr<i32, private>
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.store %c0_i32, %1[%c0] : !ocl.ptr<i32, private>
// CHECK-NEXT:     %4 = arith.index_cast %n : i32 to index
// CHECK-NEXT:     %5 = ocl.load %0[%4] : !ocl.ptr<i32, private>
// CHECK-NEXT:     %6 = arith.index_cast %n : i32 to index
// CHECK-NEXT:     %7 = ocl.load %1[%6] : !ocl.ptr<i32, private>
// CHECK-NEXT:     %8 = arith.addi %5, %7 : i32
// CHECK-NEXT:     %9 = arith.index_cast %n : i32 to index
// CHECK-NEXT:     %10 = ocl.offset %2[%9] : !ocl.ptr<!ocl.array<3 x i32>, private>
// CHECK-NEXT:     %11 = ocl.cast %10 : !ocl.ptr<!ocl.array<3 x i32>, private> to !ocl.ptr<i32, private>
// CHECK-NEXT:     ocl.store %8, %11[%c1] : !ocl.ptr<i32, private>
// CHECK-NEXT:     %12 = ocl.offset %2[%c1] : !ocl.ptr<!ocl.array<3 x i32>, private>
// CHECK-NEXT:     %13 = ocl.cast %12 : !ocl.ptr<!ocl.array<3 x i32>, private> to !ocl.ptr<i32, private>
// CHECK-NEXT:     %14 = arith.index_cast %n : i32 to index
// CHECK-NEXT:     %15 = ocl.load %13[%14] : !ocl.ptr<i32, private>
// CHECK-NEXT:     %16 = ocl.address_of @table : !ocl.ptr<!ocl.array<3 x i32>, constant>
// CHECK-NEXT:     %17 = ocl.cast %16 : !ocl.ptr<!ocl.array<3 x i32>, constant> to !ocl.ptr<i32, constant>
// CHECK-NEXT:     %18 = arith.index_cast %n : i32 to index
// CHECK-NEXT:     %19 = ocl.load %17[%18] : !ocl.ptr<i32, constant>
// CHECK-NEXT:     %20 = arith.addi %15, %19 : i32
// CHECK-NEXT:     %21 = arith.sitofp %20 : i32 to f32
// CHECK-NEXT:     %22 = ocl.address_of @pairs : !ocl.ptr<!ocl.array<2 x vector<2xf32>>, constant>
// CHECK-NEXT:     %23 = ocl.cast %22 : !ocl.ptr<!ocl.array<2 x vector<2xf32>>, constant> to !ocl.ptr<vector<2xf32>, constant>
// CHECK-NEXT:     %24 = ocl.load %23[%c1] : !ocl.ptr<vector<2xf32>, constant>
// CHECK-NEXT:     %25 = vector.extract %24[1] : f32 from vector<2xf32>
// CHECK-NEXT:     %26 = arith.addf %21, %25 : f32
// CHECK-NEXT:     %27 = arith.fptosi %26 : f32 to i32
// CHECK-NEXT:     ocl.store %27, %out : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @arithmetic(%p: !ocl.ptr<i32, global> {ocl.name = "p", ocl.type = "int*"}, %q: !ocl.ptr<i32, global> {ocl.name = "q", ocl.type = "int*"}) {
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %r = ocl.offset %p[%c3] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %r_1 = ocl.offset %r[%c1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.store %c1_i32, %p[%c3] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = arith.subi %c0, %c2 : index
// CHECK-NEXT:     %r_2 = ocl.offset %r_1[%0] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %1 = ocl.ptr_to_int %r_2 : !ocl.ptr<i32, global>
// CHECK-NEXT:     %2 = ocl.ptr_to_int %p : !ocl.ptr<i32, global>
// CHECK-NEXT:     %3 = arith.subi %1, %2 : i64
// CHECK-NEXT:     %c4_i64 = arith.constant 4 : i64
// CHECK-NEXT:     %4 = arith.divsi %3, %c4_i64 : i64
// CHECK-NEXT:     %5 = arith.trunci %4 : i64 to i32
// CHECK-NEXT:     ocl.store %5, %q : !ocl.ptr<i32, global>
// CHECK-NEXT:     %6 = ocl.ptr_to_int %r_2 : !ocl.ptr<i32, global>
// CHECK-NEXT:     %7 = ocl.ptr_to_int %q : !ocl.ptr<i32, global>
// CHECK-NEXT:     %8 = arith.cmpi ult, %6, %7 : i64
// CHECK-NEXT:     %9 = ocl.ptr_to_int %r_2 : !ocl.ptr<i32, global>
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %10 = arith.cmpi ne, %9, %c0_i64 : i64
// CHECK-NEXT:     %11 = arith.andi %8, %10 : i1
// CHECK-NEXT:     scf.if %11 {
// CHECK-NEXT:       %c2_1 = arith.constant 2 : index
// CHECK-NEXT:       %12 = ocl.load %q[%c2_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %13 = arith.index_cast %12 : i32 to index
// CHECK-NEXT:       %14 = ocl.load %r_2[%13] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %c1_1 = arith.constant 1 : index
// CHECK-NEXT:       ocl.store %14, %q[%c1_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @address_taken(%out: !ocl.ptr<i32, global> {ocl.name = "out", ocl.type = "int*"}) {
// CHECK-NEXT:     %x = ocl.alloca : !ocl.ptr<i32, private>
// CHECK-NEXT:     func.call @set(%x) : (!ocl.ptr<i32, private>) -> ()
// CHECK-NEXT:     %0 = ocl.load %x : !ocl.ptr<i32, private>
// CHECK-NEXT:     ocl.store %0, %out : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @local_memory(%out: !ocl.ptr<f32, global> {ocl.name = "out", ocl.type = "float*"}) attributes {ocl.unsigned = ["l"]} {
// CHECK-NEXT:     %tile = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x !ocl.array<9 x f32>>, local>
// CHECK-NEXT:     %0 = ocl.cast %tile : !ocl.ptr<!ocl.array<8 x !ocl.array<9 x f32>>, local> to !ocl.ptr<!ocl.array<9 x f32>, local>
// CHECK-NEXT:     %count = ocl.local_alloc : !ocl.ptr<i32, local>
// CHECK-NEXT:     %1 = ocl.local_id 0 : index
// CHECK-NEXT:     %l = arith.index_cast %1 : index to i64
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %2 = arith.cmpi eq, %l, %c0_i64 : i64
// CHECK-NEXT:     scf.if %2 {
// CHECK-NEXT:       %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:       ocl.store %c0_i32, %count : !ocl.ptr<i32, local>
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.barrier local
// CHECK-NEXT:     %3 = ocl.load %count : !ocl.ptr<i32, local>
// CHECK-NEXT:     %4 = arith.sitofp %3 : i32 to f32
// CHECK-NEXT:     %5 = ocl.offset %0[%1] : !ocl.ptr<!ocl.array<9 x f32>, local>
// CHECK-NEXT:     %6 = ocl.cast %5 : !ocl.ptr<!ocl.array<9 x f32>, local> to !ocl.ptr<f32, local>
// CHECK-NEXT:     ocl.store %4, %6[%1] : !ocl.ptr<f32, local>
// CHECK-NEXT:     %7 = ocl.cast %0 : !ocl.ptr<!ocl.array<9 x f32>, local> to !ocl.ptr<f32, local>
// CHECK-NEXT:     %8 = ocl.load %7[%1] : !ocl.ptr<f32, local>
// CHECK-NEXT:     ocl.store %8, %out[%1] : !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @casts(%bytes: !ocl.ptr<i8, global> {ocl.name = "bytes", ocl.type = "uchar*"}, %v: !ocl.ptr<i32, global> {ocl.name = "v", ocl.type = "int*", ocl.volatile}) attributes {ocl.unsigned = ["address", "words"]} {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = ocl.offset %bytes[%c4] : !ocl.ptr<i8, global>
// CHECK-NEXT:     %words = ocl.cast %0 : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %1 = ocl.load %words[%c1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %2 = arith.extui %1 : i32 to i64
// CHECK-NEXT:     %3 = arith.trunci %2 : i64 to i32
// CHECK-NEXT:     ocl.store volatile %3, %v : !ocl.ptr<i32, global>
// CHECK-NEXT:     %4 = ocl.load volatile %v[%c1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %5 = arith.addi %4, %c1_i32 : i32
// CHECK-NEXT:     ocl.store volatile %5, %v[%c1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %address = ocl.ptr_to_int %bytes : !ocl.ptr<i8, global>
// CHECK-NEXT:     %6 = ocl.int_to_ptr %address : !ocl.ptr<i32, global>
// CHECK-NEXT:     %7 = ocl.load %6 : !ocl.ptr<i32, global>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     ocl.store volatile %7, %v[%c2] : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }
