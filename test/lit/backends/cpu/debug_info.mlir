// RUN: ocl-opt %s -t llvm-ir --debug-info | filecheck %s
// RUN: ocl-opt %s -t llvm-ir | filecheck %s --check-prefix=NONE
// RUN: ocl-opt %s -t cpu-assembly --debug-info | filecheck %s --check-prefix=ASM
// RUN: ocl-opt %s --debug-info | filecheck %s --check-prefix=MLIR

// With --debug-info each instruction has the line of its operation, and the function has the line
// that it begins at. What was inlined from another file is at that file's line.

// CHECK:      define void @"scale"(ptr %".1", float %".2") nounwind !dbg [[SCALE:!\d+]]
// CHECK:      load float, ptr %".1", align 4, !dbg [[LOAD:!\d+]]
// CHECK-NEXT: fmul float {{.*}}, !dbg [[MUL:!\d+]]
// CHECK-NEXT: store float {{.*}}, align 4, !dbg [[STORE:!\d+]]
// CHECK-NEXT: ret void, !dbg [[STORE]]
// CHECK:      !llvm.dbg.cu = !{ [[UNIT:!\d+]] }
// CHECK:      [[FILE:!\d+]] = !DIFile(directory: "{{.*}}", filename: "k.cl")
// CHECK:      [[UNIT]] = distinct !DICompileUnit({{.*}}language: DW_LANG_OpenCL
// CHECK:      !{ i32 2, !"Debug Info Version", i32 3 }
// CHECK:      [[SCALE]] = distinct !DISubprogram({{.*}}line: 1, name: "scale"
// CHECK:      [[LOAD]] = !DILocation(column: 10, line: 2, scope: [[SCALE]])
// CHECK:      [[HEADER:!\d+]] = !DIFile(directory: "{{.*}}", filename: "k.h")
// CHECK:      [[IN_HEADER:!\d+]] = !DILexicalBlockFile({{.*}}file: [[HEADER]], scope: [[SCALE]])
// CHECK:      [[MUL]] = !DILocation(column: 3, line: 7, scope: [[IN_HEADER]])
// CHECK:      [[STORE]] = !DILocation(column: 3, line: 2, scope: [[SCALE]])

// NONE-NOT: !dbg
// NONE-NOT: !DI

// ASM:      scale:
// ASM:      .file [[K_H:\d+]] "{{.*}}" "k.h"
// ASM-NEXT: .loc [[K_H]] 7 3
// ASM:      .file [[K_CL:\d+]] "{{.*}}" "k.cl"
// ASM-NEXT: .loc [[K_CL]] 2 3

// MLIR: llvm.load %x {alignment = 4 : i64} : !llvm.ptr -> f32 loc("k.cl":2:10)
llvm.func @scale(%x: !llvm.ptr, %a: f32) {
  %v = llvm.load %x {alignment = 4 : i64} : !llvm.ptr -> f32 loc("k.cl":2:10)
  %w = llvm.fmul %v, %a : f32 loc(callsite("k.h":7:3 at "k.cl":2:14))
  llvm.store %w, %x {alignment = 4 : i64} : f32, !llvm.ptr loc("k.cl":2:3)
  llvm.return loc("k.cl":2:3)
} loc("k.cl":1:13)
