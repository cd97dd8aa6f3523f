// RUN: ocl-opt %s -p "tta-legalize{distinct=true}" | filecheck %s
// RUN: ocl-opt %s -p tta-legalize | filecheck %s --check-prefix=MAY

// #tta.alias<set, item, region>: accesses of different sets never meet. Arguments are only read;
// buffers are apart where the launch knows it, and always apart from the kernel's own memory, in
// which each variable has a set of its own. What points to one of two buffers may meet both.
// CHECK-LABEL: func.func @sets
// MAY-LABEL: func.func @sets
func.func @sets(%args: !ocl.ptr<i8, global>, %scratch: !ocl.ptr<i8, global>, %begin: index, %end: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %0 = ocl.cast %args : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.ptr<f32, global>, global>
  // CHECK: tta.load "ld32" %{{.*}} {alias = #tta.alias<[[ARGS:[0-9]+]], -1, -1>}
  %a = ocl.load %0 : !ocl.ptr<!ocl.ptr<f32, global>, global>
  %1 = ocl.offset %args[%c8] : !ocl.ptr<i8, global>
  %2 = ocl.cast %1 : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.ptr<f32, global>, global>
  // CHECK: tta.load "ld32" %{{.*}} {alias = #tta.alias<[[ARGS]], -1, -1>}
  %b = ocl.load %2 : !ocl.ptr<!ocl.ptr<f32, global>, global>
  // CHECK: tta.load "ld32" %{{.*}} {alias = #tta.alias<[[A:[0-9]+]], -1, -1>} : f32
  // MAY: tta.load "ld32" %{{.*}} {alias = #tta.alias<[[BUFFERS:[0-9]+]], -1, -1>} : f32
  %v = ocl.load %a[%begin] : !ocl.ptr<f32, global>
  // CHECK-NOT: #tta.alias<[[A]],
  // CHECK: tta.store "st32" %{{.*}} {alias = #tta.alias<[[B:[0-9]+]], -1, -1>}
  // MAY: tta.store "st32" %{{.*}} {alias = #tta.alias<[[BUFFERS]], -1, -1>}
  ocl.store %v, %b[%begin] : !ocl.ptr<f32, global>
  %3 = ocl.cast %scratch : !ocl.ptr<i8, global> to !ocl.ptr<f32, global>
  // CHECK-NOT: #tta.alias<[[A]],
  // CHECK: tta.store "st32" %{{.*}} {alias = #tta.alias<[[FIRST:[0-9]+]], -1, -1>}
  // MAY-NOT: #tta.alias<[[BUFFERS]],
  // MAY: tta.store "st32" %{{.*}} {alias = #tta.alias<{{[0-9]+}}, -1, -1>}
  ocl.store %v, %3[%c4] : !ocl.ptr<f32, global>
  %4 = ocl.offset %scratch[%c128] : !ocl.ptr<i8, global>
  %5 = ocl.cast %4 : !ocl.ptr<i8, global> to !ocl.ptr<f32, global>
  // CHECK-NOT: #tta.alias<[[FIRST]],
  // CHECK: tta.store "st32" %{{.*}} {alias = #tta.alias<{{[0-9]+}}, -1, -1>}
  ocl.store %v, %5[%begin] : !ocl.ptr<f32, global>
  %up = arith.cmpi ult, %begin, %end : index
  %either = arith.select %up, %a, %b : !ocl.ptr<f32, global>
  // CHECK: tta.store "st32" %{{[0-9]+}}, %{{[0-9a-z_]+}} : f32
  ocl.store %v, %either[%begin] : !ocl.ptr<f32, global>
  func.return
}

// A pointer that a loop carries points to one buffer, if all that it becomes does. Work-items that
// were put next to each other (tta-mark-regions) do not meet in one region, unless their stores
// are seen to have one address.
// CHECK-LABEL: func.func @loop
func.func @loop(%args: !ocl.ptr<i8, global>, %scratch: !ocl.ptr<i8, global>, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  %0 = ocl.cast %args : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.ptr<f32, global>, global>
  %a = ocl.load %0 : !ocl.ptr<!ocl.ptr<f32, global>, global>
  cf.br ^loop(%a : !ocl.ptr<f32, global>)
^loop(%p: !ocl.ptr<f32, global>):
  // CHECK: tta.load "ld32" %{{.*}} {alias = #tta.alias<[[A:[0-9]+]], 0, 3>}
  %v = ocl.load %p {wg.region = #builtin.int<3>, wg.item = #builtin.int<0>} : !ocl.ptr<f32, global>
  // CHECK: tta.store "st32" %{{.*}} {alias = #tta.alias<[[A]], 1, 3>}
  ocl.store %v, %p[%end] {wg.region = #builtin.int<3>, wg.item = #builtin.int<1>} : !ocl.ptr<f32, global>
  // CHECK: tta.store "st32" %{{.*}} {alias = #tta.alias<[[A]], -1, -1>}
  ocl.store %v, %p {wg.region = #builtin.int<3>, wg.item = #builtin.int<0>} : !ocl.ptr<f32, global>
  // CHECK: tta.store "st32" %{{.*}} {alias = #tta.alias<[[A]], -1, -1>}
  ocl.store %v, %p {wg.region = #builtin.int<3>, wg.item = #builtin.int<1>} : !ocl.ptr<f32, global>
  %next = ocl.offset %p[%c1] : !ocl.ptr<f32, global>
  %more = arith.cmpi ult, %begin, %end : index
  cf.cond_br %more, ^loop(%next : !ocl.ptr<f32, global>), ^end
^end:
  func.return
}
