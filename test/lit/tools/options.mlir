// RUN: ocl-opt %s -p canonicalize,cse --print-between-passes | filecheck %s
// RUN: ocl-opt %s -p cse -o %t.mlir && filecheck %s --input-file %t.mlir --check-prefix=FILE
// RUN: ocl-opt --help | filecheck %s --check-prefix=HELP

// CHECK:      IR after canonicalize:
// CHECK:      func.func @f
// CHECK:      func.func @f

// FILE:     func.func @f

// HELP:     usage: ocl-opt
// HELP:     -p PASSES
// HELP:     passes of polycl

func.func @f() {
  func.return
}
