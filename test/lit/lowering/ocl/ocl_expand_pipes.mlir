// RUN: ocl-opt %s -p ocl-expand-pipes | filecheck %s

// Only the functions that are called come in, with those that they call.
// CHECK:      func.func private @pipe.now
// CHECK:      func.func private @pipe.reserve(
// CHECK:      func.func private @pipe.reserve_read(%memory: !ocl.ptr<i8, global>, %count: i32) -> i64
// CHECK-NOT:  @pipe.reserve_write
// CHECK:      func.func private @pipe.packet(%memory: !ocl.ptr<i8, global>, %reservation: i64, %index: i32) -> !ocl.ptr<i8, global>
// CHECK:      func.func private @pipe.commit_read(%memory: !ocl.ptr<i8, global>, %reservation: i64)
// CHECK:      func.func private @pipe.num_packets(%memory: !ocl.ptr<i8, global>) -> i32

// A pipe is the address of its header, in functions, too. Its access chooses the functions.
// CHECK:      func.func private @take(%p: !ocl.ptr<i8, global>) -> i64 {
// CHECK-NEXT:   %n = arith.constant 4 : i32
// CHECK-NEXT:   %r = func.call @pipe.reserve_read(%p, %n) : (!ocl.ptr<i8, global>, i32) -> i64
func.func private @take(%p: !ocl.pipe<read>) -> i64 {
  %n = arith.constant 4 : i32
  %r = ocl.pipe_reserve %p, %n : !ocl.pipe<read>
  func.return %r : i64
}

// CHECK:      ocl.kernel @k(%p: !ocl.ptr<i8, global> {ocl.name = "p"}, %q: !ocl.ptr<i8, global> {ocl.name = "q"}, %o: !ocl.ptr<f32, global> {ocl.name = "o"}) {
ocl.kernel @k(%p: !ocl.pipe<read> {ocl.name = "p"}, %q: !ocl.pipe<write> {ocl.name = "q"}, %o: !ocl.ptr<f32, global> {ocl.name = "o"}) {
  // CHECK-NEXT: %r = func.call @take(%p) : (!ocl.ptr<i8, global>) -> i64
  %r = func.call @take(%p) : (!ocl.pipe<read>) -> i64
  // CHECK-NEXT: [[N:%.*]] = func.call @pipe.num_packets(%q) : (!ocl.ptr<i8, global>) -> i32
  %n = ocl.pipe_query num_packets %q : !ocl.pipe<write>
  // CHECK-NEXT: [[ADDRESS:%.*]] = func.call @pipe.packet(%p, %r, [[N]]) : (!ocl.ptr<i8, global>, i64, i32) -> !ocl.ptr<i8, global>
  // CHECK-NEXT: [[PACKET:%.*]] = ocl.cast [[ADDRESS]] : !ocl.ptr<i8, global> to !ocl.ptr<f32, global>
  %a = ocl.pipe_packet %p, %r, %n : !ocl.pipe<read> -> !ocl.ptr<f32, global>
  // CHECK-NEXT: ocl.load [[PACKET]] : !ocl.ptr<f32, global>
  %v = ocl.load %a : !ocl.ptr<f32, global>
  ocl.store %v, %o : !ocl.ptr<f32, global>
  // CHECK:      func.call @pipe.commit_read(%p, %r) : (!ocl.ptr<i8, global>, i64) -> ()
  ocl.pipe_commit %p, %r : !ocl.pipe<read>
  ocl.return
}
