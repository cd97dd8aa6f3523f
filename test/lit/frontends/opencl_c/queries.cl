// RUN: ocl-opt %s | filecheck %s
// Work-item queries are of type index; the dimension may be a variable.

kernel void all(global ulong *out, uint d) {
  out[0] = get_global_id(1) + get_local_id(2);
  out[1] = get_group_id(0) + get_global_size(0);
  out[2] = get_local_size(0) + get_num_groups(0);
  out[3] = get_global_offset(0) + get_work_dim();
  out[4] = get_global_id(7) + get_local_size(7);
}

kernel void variable_dimension(global ulong *out, uint d) { out[get_global_id(d)] = 1; }

kernel void narrow(global uchar *out) {
  uchar id = get_global_id(0);
  out[id] = id;
}

// CHECK-LABEL: ocl.kernel @all(%out: !ocl.ptr<i64, global> {ocl.name = "out", ocl.type = "ulong*"}, %d: i32 {ocl.name = "d", ocl.type = "uint"}) {
// CHECK-NEXT:     %0 = ocl.global_id 1 : index
// CHECK-NEXT:     %1 = arith.index_cast %0 : index to i64
// CHECK-NEXT:     %2 = ocl.local_id 2 : index
// CHECK-NEXT:     %3 = arith.index_cast %2 : index to i64
// CHECK-NEXT:     %4 = arith.addi %1, %3 : i64
// CHECK-NEXT:     ocl.store %4, %out : !ocl.ptr<i64, global>
// CHECK-NEXT:     %5 = ocl.group_id 0 : index
// CHECK-NEXT:     %6 = arith.index_cast %5 : index to i64
// CHECK-NEXT:     %7 = ocl.global_size 0 : index
// CHECK-NEXT:     %8 = arith.index_cast %7 : index to i64
// CHECK-NEXT:     %9 = arith.addi %6, %8 : i64
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     ocl.store %9, %out[%c1] : !ocl.ptr<i64, global>
// CHECK-NEXT:     %10 = ocl.local_size 0 : index
// CHECK-NEXT:     %11 = arith.index_cast %10 : index to i64
// CHECK-NEXT:     %12 = ocl.num_groups 0 : index
// CHECK-NEXT:     %13 = arith.index_cast %12 : index to i64
// CHECK-NEXT:     %14 = arith.addi %11, %13 : i64
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     ocl.store %14, %out[%c2] : !ocl.ptr<i64, global>
// CHECK-NEXT:     %15 = ocl.global_offset 0 : index
// CHECK-NEXT:     %16 = arith.index_cast %15 : index to i64
// CHECK-NEXT:     %17 = ocl.work_dim : index
// CHECK-NEXT:     %18 = arith.index_cast %17 : index to i64
// CHECK-NEXT:     %19 = arith.addi %16, %18 : i64
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     ocl.store %19, %out[%c3] : !ocl.ptr<i64, global>
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %c1_i64 = arith.constant 1 : i64
// CHECK-NEXT:     %20 = arith.addi %c0_i64, %c1_i64 : i64
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     ocl.store %20, %out[%c4] : !ocl.ptr<i64, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @variable_dimension(%out: !ocl.ptr<i64, global> {ocl.name = "out", ocl.type = "ulong*"}, %d: i32 {ocl.name = "d", ocl.type = "uint"}) {
// CHECK-NEXT:     %c1_i64 = arith.constant 1 : i64
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %0 = arith.cmpi eq, %d, %c2_i32 : i32
// CHECK-NEXT:     %1 = ocl.global_id 2 : index
// CHECK-NEXT:     %2 = arith.select %0, %1, %c0 : index
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %3 = arith.cmpi eq, %d, %c1_i32 : i32
// CHECK-NEXT:     %4 = ocl.global_id 1 : index
// CHECK-NEXT:     %5 = arith.select %3, %4, %2 : index
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %6 = arith.cmpi eq, %d, %c0_i32 : i32
// CHECK-NEXT:     %7 = ocl.global_id 0 : index
// CHECK-NEXT:     %8 = arith.select %6, %7, %5 : index
// CHECK-NEXT:     ocl.store %c1_i64, %out[%8] : !ocl.ptr<i64, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @narrow(%out: !ocl.ptr<i8, global> {ocl.name = "out", ocl.type = "uchar*"}) attributes {ocl.unsigned = ["id"]} {
// CHECK-NEXT:     %0 = ocl.global_id 0 : index
// CHECK-NEXT:     %1 = arith.index_cast %0 : index to i64
// CHECK-NEXT:     %id = arith.trunci %1 : i64 to i8
// CHECK-NEXT:     %2 = arith.extui %id : i8 to i64
// CHECK-NEXT:     %3 = arith.index_cast %2 : i64 to index
// CHECK-NEXT:     ocl.store %id, %out[%3] : !ocl.ptr<i8, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }
