// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// One lane of a vector for each work-item of a tile. A lane that its mask turns off neither reads
// nor writes.
// CHECK-LABEL: wg.func @lanes(
wg.func @lanes(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) attributes {local_size = array<i64: 16, 1, 1>} {
  %lx = arith.constant 16 : index
  %one = arith.constant 1 : index
  // A region in steps: the body runs once for each tile of 4 work-items.
  // CHECK: wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
    %mask = arith.constant dense<[true, true, true, false]> : vector<4xi1>
    %i = arith.constant dense<[0, 2, 4, 6]> : vector<4xindex>
    // Neighbouring elements.
    // CHECK: %v = wg.load %p[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
    %v = wg.load %p[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
    // CHECK-NEXT: %w = wg.load %p[%x] mask %mask : vector<4xi1> : !ocl.ptr<f32, global> -> vector<4xf32>
    %w = wg.load %p[%x] mask %mask : vector<4xi1> : !ocl.ptr<f32, global> -> vector<4xf32>
    // CHECK-NEXT: wg.store %v, %p[%x] : vector<4xf32>, !ocl.ptr<f32, global>
    wg.store %v, %p[%x] : vector<4xf32>, !ocl.ptr<f32, global>
    // CHECK-NEXT: wg.store %w, %p[%x] mask %mask : vector<4xi1> : vector<4xf32>, !ocl.ptr<f32, global>
    wg.store %w, %p[%x] mask %mask : vector<4xi1> : vector<4xf32>, !ocl.ptr<f32, global>
    // Elements anywhere; an index counts elements, or as many bytes as the stride says.
    // CHECK-NEXT: %g = wg.gather %p[%i] : vector<4xindex>, !ocl.ptr<f32, global> -> vector<4xf32>
    %g = wg.gather %p[%i] : vector<4xindex>, !ocl.ptr<f32, global> -> vector<4xf32>
    // CHECK-NEXT: %h = wg.gather %p[%i] stride 12 : i64 mask %mask : vector<4xi1> : vector<4xindex>, !ocl.ptr<f32, global> -> vector<4xf32>
    %h = wg.gather %p[%i] stride 12 : i64 mask %mask : vector<4xi1> : vector<4xindex>, !ocl.ptr<f32, global> -> vector<4xf32>
    // CHECK-NEXT: wg.scatter %g, %p[%i] : vector<4xf32>, vector<4xindex>, !ocl.ptr<f32, global>
    wg.scatter %g, %p[%i] : vector<4xf32>, vector<4xindex>, !ocl.ptr<f32, global>
    // CHECK-NEXT: wg.scatter %h, %p[%i] stride 12 : i64 mask %mask : vector<4xi1> : vector<4xf32>, vector<4xindex>, !ocl.ptr<f32, global>
    wg.scatter %h, %p[%i] stride 12 : i64 mask %mask : vector<4xi1> : vector<4xf32>, vector<4xindex>, !ocl.ptr<f32, global>
    // Two elements of each lane, side by side.
    // CHECK-NEXT: %rows = wg.gather %p[%i] stride 8 : i64 : vector<4xindex>, !ocl.ptr<f32, global> -> vector<8xf32>
    %rows = wg.gather %p[%i] stride 8 : i64 : vector<4xindex>, !ocl.ptr<f32, global> -> vector<8xf32>
    // CHECK-NEXT: wg.scatter %rows, %p[%i] stride 8 : i64 mask %mask : vector<4xi1> : vector<8xf32>, vector<4xindex>, !ocl.ptr<f32, global>
    wg.scatter %rows, %p[%i] stride 8 : i64 mask %mask : vector<4xi1> : vector<8xf32>, vector<4xindex>, !ocl.ptr<f32, global>
    // One number is added to elements anywhere, several times where lanes have the same.
    // CHECK: wg.update add %n, %q[%i] stride 8 : i64 mask %mask : vector<4xi1> : i32, vector<4xindex>, !ocl.ptr<i32, global>
    %n = arith.constant 3 : i32
    %q = ocl.cast %p : !ocl.ptr<f32, global> to !ocl.ptr<i32, global>
    wg.update add %n, %q[%i] stride 8 : i64 mask %mask : vector<4xi1> : i32, vector<4xindex>, !ocl.ptr<i32, global>
    // A bit for each lane that is on.
    // CHECK-NEXT: %bits = wg.lane_bits %mask : vector<4xi1>
    %bits = wg.lane_bits %mask : vector<4xi1>
    // CHECK-NEXT: %any = wg.any_lane %mask : vector<4xi1>
    %any = wg.any_lane %mask : vector<4xi1>
  }
  wg.return
}
