// RUN: ocl-opt %s -t llvm-ir | filecheck %s

// A module of a debug build has lines without --debug-info, and the memory with a variable's value is declared to
// debuggers. A block in which variables are declared is a scope of its own.

builtin.module attributes {ocl.debug_folder = "/home/me", ocl.debug_build} {
  llvm.func @k(%x: !llvm.ptr) {
    %one = llvm.mlir.constant(1 : i64) : i64
    %p = llvm.alloca %one x !llvm.array<8 x i8> {alignment = 8 : i64, ocl.variable = {name = "x", scope = [1 : i32, 1 : i32, 9 : i32, 2 : i32], argument = 1 : i32, unsigned = [""]}, ocl.variable_type = !ocl.ptr<i32, global>} : (i64) -> !llvm.ptr loc("k.cl":1:16)
    %i = llvm.alloca %one x !llvm.array<16 x i8> {alignment = 16 : i64, ocl.variable = {name = "v", scope = [3 : i32, 3 : i32, 6 : i32, 4 : i32]}, ocl.variable_type = vector<3xf32>} : (i64) -> !llvm.ptr loc("k.cl":4:10)
    %a = llvm.alloca %one x !llvm.array<8 x i8> {alignment = 8 : i64, ocl.variable = {name = "s", scope = [3 : i32, 3 : i32, 6 : i32, 4 : i32], unsigned = [".n"], address}, ocl.variable_type = !ocl.ptr<!ocl.struct<"pair", {w: f32, n: i16}>, private>} : (i64) -> !llvm.ptr loc("k.cl":5:10)
    %v = llvm.load %x {alignment = 4 : i64} : !llvm.ptr -> i32 loc("k.cl":4:14)
    llvm.store %v, %x {alignment = 4 : i64} : i32, !llvm.ptr loc("k.cl":8:3)
    llvm.return loc("k.cl":1:13)
  } loc("k.cl":1:13)
}

// CHECK:      define void @"k"(ptr %".1") nounwind !dbg [[K:!\d+]]
// CHECK:      [[P:%\S+]] = alloca [8 x i8]
// CHECK-NEXT: call void @llvm.dbg.declare(metadata ptr [[P]], metadata [[X:!\d+]], metadata !DIExpression()), !dbg
// CHECK:      call void @llvm.dbg.declare(metadata ptr {{.*}}, metadata [[V:!\d+]], metadata !DIExpression()), !dbg
// CHECK:      call void @llvm.dbg.declare(metadata ptr {{.*}}, metadata [[S:!\d+]], metadata !DIExpression(DW_OP_deref)), !dbg
// CHECK-NEXT: load i32, ptr %".1", align 4, !dbg [[LOAD:!\d+]]
// CHECK-NEXT: store i32 {{.*}}, !dbg [[STORE:!\d+]]
// The function itself has no line in the code: gdb stops where the first statement is.
// CHECK-NEXT: ret void, !dbg [[NOWHERE:!\d+]]

// CHECK-DAG: !DIFile(directory: "/home/me", filename: "k.cl")
// CHECK-DAG: [[K]] = distinct !DISubprogram({{.*}}name: "k"
// CHECK-DAG: [[BLOCK:!\d+]] = distinct !DILexicalBlock(column: 3, {{.*}}line: 3, scope: [[K]])
// CHECK-DAG: [[X]] = !DILocalVariable(arg: 1, {{.*}}line: 1, name: "x", scope: [[K]], type: [[POINTER:!\d+]])
// CHECK-DAG: [[UINT:!\d+]] = !DIBasicType(encoding: DW_ATE_unsigned, name: "uint", size: 32)
// CHECK-DAG: [[POINTER]] = !DIDerivedType(baseType: [[UINT]], size: 64, tag: DW_TAG_pointer_type)
// CHECK-DAG: [[V]] = !DILocalVariable({{.*}}line: 4, name: "v", scope: [[BLOCK]], type: [[FLOAT3:!\d+]])
// CHECK-DAG: [[FLOAT3]] = !DICompositeType({{.*}}flags: DIFlagVector, size: 128, tag: DW_TAG_array_type)
// CHECK-DAG: [[S]] = !DILocalVariable({{.*}}name: "s", scope: [[BLOCK]], type: [[PAIR:!\d+]])
// CHECK-DAG: [[PAIR]] = !DICompositeType({{.*}}name: "pair", size: 64, tag: DW_TAG_structure_type)
// CHECK-DAG: !DIDerivedType({{.*}}name: "n", offset: 32, size: 16, tag: DW_TAG_member)
// CHECK-DAG: [[LOAD]] = !DILocation(column: 14, line: 4, scope: [[BLOCK]])
// CHECK-DAG: [[STORE]] = !DILocation(column: 3, line: 8, scope: [[K]])
// CHECK-DAG: [[NOWHERE]] = !DILocation(column: 0, line: 0, scope: [[K]])
