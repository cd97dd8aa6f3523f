// RUN: OCL_INVALID

// CHECK: the image is for writing only
ocl.kernel @k(%i: !ocl.image<image2d, write> {ocl.name = "i"}) {
  %p = arith.constant dense<1> : vector<2xi32>
  %c = ocl.image_read %i, %p : !ocl.image<image2d, write>, vector<2xi32> -> vector<4xi32>
  ocl.return
}

// -----

// CHECK: the image is for reading only
ocl.kernel @k(%i: !ocl.image<image2d, read> {ocl.name = "i"}) {
  %p = arith.constant dense<1> : vector<2xi32>
  %c = arith.constant dense<1> : vector<4xi32>
  ocl.image_write %c, %i, %p : vector<4xi32>, !ocl.image<image2d, read>, vector<2xi32>
  ocl.return
}

// -----

// CHECK: coordinates between pixels need a sampler
ocl.kernel @k(%i: !ocl.image<image2d, read> {ocl.name = "i"}) {
  %p = arith.constant dense<1.0> : vector<2xf32>
  %c = ocl.image_read %i, %p : !ocl.image<image2d, read>, vector<2xf32> -> vector<4xf32>
  ocl.return
}

// -----

// CHECK: coordinates of !ocl.image<image2d, read> are vector<2xf32> or vector<2xi32>, got vector<3xi32>
ocl.kernel @k(%i: !ocl.image<image2d, read> {ocl.name = "i"}) {
  %p = arith.constant dense<1> : vector<3xi32>
  %c = ocl.image_read %i, %p : !ocl.image<image2d, read>, vector<3xi32> -> vector<4xi32>
  ocl.return
}

// -----

// CHECK: coordinates of !ocl.image<image3d, write> are vector<4xi32>, got vector<2xi32>
ocl.kernel @k(%i: !ocl.image<image3d, write> {ocl.name = "i"}) {
  %p = arith.constant dense<1> : vector<2xi32>
  %c = arith.constant dense<1> : vector<4xi32>
  ocl.image_write %c, %i, %p : vector<4xi32>, !ocl.image<image3d, write>, vector<2xi32>
  ocl.return
}

// -----

// CHECK: a colour is four f32 or i32, got vector<2xf32>
ocl.kernel @k(%i: !ocl.image<image2d, read> {ocl.name = "i"}) {
  %p = arith.constant dense<1> : vector<2xi32>
  %c = ocl.image_read %i, %p : !ocl.image<image2d, read>, vector<2xi32> -> vector<2xf32>
  ocl.return
}

// -----

// CHECK: a pixel of a depth image is an f32, got vector<4xf32>
ocl.kernel @k(%i: !ocl.image<image2d_depth, read> {ocl.name = "i"}) {
  %p = arith.constant dense<1> : vector<2xi32>
  %c = ocl.image_read %i, %p : !ocl.image<image2d_depth, read>, vector<2xi32> -> vector<4xf32>
  ocl.return
}

// -----

// CHECK: a colour is four f32 or i32, got f32
ocl.kernel @k(%i: !ocl.image<image2d, write> {ocl.name = "i"}, %c: f32 {ocl.name = "c"}) {
  %p = arith.constant dense<1> : vector<2xi32>
  ocl.image_write %c, %i, %p : f32, !ocl.image<image2d, write>, vector<2xi32>
  ocl.return
}
