// RUN: ocl-opt %s -p wg-to-launch | filecheck %s

// A function that prints gets the buffer as its last parameter, and so do its callers.
func.func private @show(%i: i32) {
  %status = ocl.printf "%d\n"(%i) : (i32) -> i32
  func.return
}
func.func private @show_next(%i: i32) -> i32 {
  %one = arith.constant 1 : i32
  %next = arith.addi %i, %one : i32
  func.call @show(%next) : (i32) -> ()
  func.return %next : i32
}
wg.func @print_by_call(%i: i32 {ocl.name = "i"}) {
  %next = func.call @show_next(%i) : (i32) -> i32
  wg.return
}

// CHECK-LABEL: func.func private @show(%i: i32, %printf_buffer: !ocl.ptr<i64, global>) {
// CHECK:         ocl.atomic_rmw add %printf_buffer
// CHECK-LABEL: func.func private @show_next(%i: i32, %printf_buffer: !ocl.ptr<i64, global>) -> i32 {
// CHECK:         func.call @show(%next, %printf_buffer) : (i32, !ocl.ptr<i64, global>) -> ()
// CHECK-LABEL: func.func @print_by_call(
// CHECK-SAME:    launch.printf_formats
// CHECK:         %printf_buffer = ocl.load
// CHECK:         %next = func.call @show_next(%i, %printf_buffer) : (i32, !ocl.ptr<i64, global>) -> i32
