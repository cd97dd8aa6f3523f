// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// CHECK-LABEL: ocl.kernel @images(%in: !ocl.image<image2d, read> {ocl.name = "in", ocl.type = "image2d_t"}, %out: !ocl.image<image2d, write> {ocl.name = "out"}, %s: !ocl.sampler {ocl.name = "s"})
ocl.kernel @images(%in: !ocl.image<image2d, read> {ocl.name = "in", ocl.type = "image2d_t"},
                   %out: !ocl.image<image2d, write> {ocl.name = "out"},
                   %s: !ocl.sampler {ocl.name = "s"}) {
  %p = arith.constant dense<1> : vector<2xi32>
  %q = arith.constant dense<0.5> : vector<2xf32>
  // CHECK: %fixed = ocl.constant_sampler 35
  %fixed = ocl.constant_sampler 35
  // CHECK: %a = ocl.image_read %in, %q with %fixed : !ocl.image<image2d, read>, vector<2xf32> -> vector<4xf32>
  %a = ocl.image_read %in, %q with %fixed : !ocl.image<image2d, read>, vector<2xf32> -> vector<4xf32>
  // CHECK: %b = ocl.image_read %in, %p with %s : !ocl.image<image2d, read>, vector<2xi32> -> vector<4xi32>
  %b = ocl.image_read %in, %p with %s : !ocl.image<image2d, read>, vector<2xi32> -> vector<4xi32>
  // CHECK: %c = ocl.image_read %in, %p : !ocl.image<image2d, read>, vector<2xi32> -> vector<4xi32>
  %c = ocl.image_read %in, %p : !ocl.image<image2d, read>, vector<2xi32> -> vector<4xi32>
  // CHECK: ocl.image_write %a, %out, %p : vector<4xf32>, !ocl.image<image2d, write>, vector<2xi32>
  ocl.image_write %a, %out, %p : vector<4xf32>, !ocl.image<image2d, write>, vector<2xi32>
  // CHECK: %w = ocl.image_query width %in : !ocl.image<image2d, read>
  %w = ocl.image_query width %in : !ocl.image<image2d, read>
  // CHECK: %t = ocl.image_query channel_type %out : !ocl.image<image2d, write>
  %t = ocl.image_query channel_type %out : !ocl.image<image2d, write>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @kinds
ocl.kernel @kinds(%line: !ocl.image<image1d, read_write> {ocl.name = "line"},
                  %space: !ocl.image<image3d, read> {ocl.name = "space"}) {
  %x = arith.constant 1 : i32
  %p = arith.constant dense<1> : vector<4xi32>
  // CHECK: %a = ocl.image_read %space, %p : !ocl.image<image3d, read>, vector<4xi32> -> vector<4xi32>
  %a = ocl.image_read %space, %p : !ocl.image<image3d, read>, vector<4xi32> -> vector<4xi32>
  // CHECK: ocl.image_write %a, %line, %x : vector<4xi32>, !ocl.image<image1d, read_write>, i32
  ocl.image_write %a, %line, %x : vector<4xi32>, !ocl.image<image1d, read_write>, i32
  // CHECK: %d = ocl.image_query depth %space : !ocl.image<image3d, read>
  %d = ocl.image_query depth %space : !ocl.image<image3d, read>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @depths
ocl.kernel @depths(%near: !ocl.image<image2d_depth, read> {ocl.name = "near"},
                   %far: !ocl.image<image2d_array_depth, write> {ocl.name = "far"}) {
  %p = arith.constant dense<1> : vector<2xi32>
  %q = arith.constant dense<1> : vector<4xi32>
  // CHECK: %a = ocl.image_read %near, %p : !ocl.image<image2d_depth, read>, vector<2xi32> -> f32
  %a = ocl.image_read %near, %p : !ocl.image<image2d_depth, read>, vector<2xi32> -> f32
  // CHECK: ocl.image_write %a, %far, %q : f32, !ocl.image<image2d_array_depth, write>, vector<4xi32>
  ocl.image_write %a, %far, %q : f32, !ocl.image<image2d_array_depth, write>, vector<4xi32>
  ocl.return
}
