// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// The input of tta-schedule: memory at addresses of 32 bits, with what is known about overlap, and
// operations of the processor.
// CHECK-LABEL: func.func @f

func.func @f(%0 : i32, %1 : i1) {
  // CHECK-NEXT: %{{.*}} = tta.load "ld32" %{{.*}} {alias = #tta.alias<0, 3, -1>} : f32
  %2 = tta.load "ld32" %0 {alias = #tta.alias<0, 3, -1>} : f32
  // CHECK-NEXT: %{{.*}} = tta.compute "cfi"(%{{.*}}) : (f32) -> i32
  %3 = tta.compute "cfi"(%2) : (f32) -> i32
  // CHECK-NEXT: tta.store "st32" %{{.*}}, %{{.*}} : f32
  tta.store "st32" %0, %2 : f32
  // CHECK-NEXT: tta.store "st16" %{{.*}}, %{{.*}} if %{{.*}} {alias = #tta.alias<1, -1, 2>} : i32
  tta.store "st16" %0, %3 if %1 {alias = #tta.alias<1, -1, 2>} : i32
  func.return
}
