// RUN: ocl-opt %s -p 'wg-specialize{positions=1,2 values=768,4294967295 kernel=known}' | filecheck %s
// RUN: ocl-opt %s -p 'wg-specialize{positions=1 values=5}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// The parameters stay, and nothing reads them. Numbers are signed or unsigned.
// CHECK-LABEL: wg.func @known(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}, %m: i32 {ocl.name = "m"}) {
// CHECK-DAG:     [[N:%n.*]] = arith.constant 768 : i32
// CHECK-DAG:     [[M:%m.*]] = arith.constant -1 : i32
// CHECK:         arith.addi [[N]], [[M]] : i32
// REMARK: 'n' is 5 [wg-specialize]
wg.func @known(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}, %m: i32 {ocl.name = "m"}) {
  %s = arith.addi %n, %m : i32
  ocl.store %s, %p : !ocl.ptr<i32, global>
  wg.return
}

// A kernel of another name stays as it is.
// CHECK-LABEL: wg.func @other(
// CHECK-NEXT:    ocl.store %v, %p
wg.func @other(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %v: f32 {ocl.name = "v"}) {
  ocl.store %v, %p : !ocl.ptr<f32, global>
  wg.return
}
