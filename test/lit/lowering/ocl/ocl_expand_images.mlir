// RUN: ocl-opt %s -p ocl-expand-images | filecheck %s

// Only the functions that are called come in, with those that they call.
// CHECK:      func.func private @image.address
// CHECK-NOT:  @image.write_float
// CHECK:      func.func private @image.fetch_int(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xi32>) -> vector<4xi32>
// CHECK:      func.func private @image.query(%image: !ocl.ptr<i8, global>, %field: i32) -> i32

// CHECK:      ocl.kernel @k(%i: !ocl.ptr<i8, global> {ocl.name = "i"}, %s: i32 {ocl.name = "s"}, %o: !ocl.ptr<vector<4xi32>, global> {ocl.name = "o"}) {
ocl.kernel @k(%i: !ocl.image<image2d, read> {ocl.name = "i"}, %s: !ocl.sampler {ocl.name = "s"},
              %o: !ocl.ptr<vector<4xi32>, global> {ocl.name = "o"}) {
  %p = arith.constant dense<1> : vector<2xi32>
  // Places have x, y and z in the functions; z is also the number of an image in an array.
  // CHECK:      %[[AT:.*]] = ocl.concat %{{.*}}, %{{.*}}, %[[ZERO:.*]], %[[ZERO]] : i32, i32, i32, i32 -> vector<4xi32>
  // CHECK:      func.call @image.fetch_int(%i, %s, %[[AT]]) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xi32>
  %a = ocl.image_read %i, %p with %s : !ocl.image<image2d, read>, vector<2xi32> -> vector<4xi32>
  ocl.store %a, %o : !ocl.ptr<vector<4xi32>, global>
  // CHECK:      arith.constant 1 : i32
  // CHECK:      func.call @image.query(%i, %{{.*}}) : (!ocl.ptr<i8, global>, i32) -> i32
  %h = ocl.image_query height %i : !ocl.image<image2d, read>
  %v = vector.broadcast %h : i32 to vector<4xi32>
  ocl.store %v, %o : !ocl.ptr<vector<4xi32>, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @array
ocl.kernel @array(%i: !ocl.image<image2d_array, read> {ocl.name = "i"}, %s: !ocl.sampler {ocl.name = "s"},
                  %p: vector<4xf32> {ocl.name = "p"}, %o: !ocl.ptr<vector<4xf32>, global> {ocl.name = "o"}) {
  // CHECK:      %[[LAYER:.*]] = func.call @image.layer_float(%i, %{{.*}}) : (!ocl.ptr<i8, global>, f32) -> i32
  // CHECK:      %[[PLANE:.*]] = ocl.concat {{.*}} -> vector<2xf32>
  // CHECK-NEXT: func.call @image.read_float(%i, %s, %[[PLANE]], %[[LAYER]])
  %a = ocl.image_read %i, %p with %s : !ocl.image<image2d_array, read>, vector<4xf32> -> vector<4xf32>
  ocl.store %a, %o : !ocl.ptr<vector<4xf32>, global>
  ocl.return
}

// A depth is the first number of the colour.
// CHECK-LABEL: ocl.kernel @depth
ocl.kernel @depth(%i: !ocl.image<image2d_depth, read_write> {ocl.name = "i"}, %p: vector<2xi32> {ocl.name = "p"}) {
  // CHECK:      %[[READ:.*]] = func.call @image.fetch_float.s10(%i, {{.*}} -> vector<4xf32>
  // CHECK-NEXT: %[[DEPTH:.*]] = vector.extract %[[READ]][0] : f32 from vector<4xf32>
  %a = ocl.image_read %i, %p : !ocl.image<image2d_depth, read_write>, vector<2xi32> -> f32
  // CHECK:      vector.broadcast %[[DEPTH]] : f32 to vector<4xf32>
  // CHECK-NEXT: func.call @image.write_float(%i,
  ocl.image_write %a, %i, %p : f32, !ocl.image<image2d_depth, read_write>, vector<2xi32>
  ocl.return
}

// A constant sampler, 18, chooses code: a place at the edge is in the image. It may be a function's
// argument, if all calls pass it.
// CHECK-LABEL: func.func private @helper
func.func private @helper(%i: !ocl.image<image2d, read>, %s: !ocl.sampler, %p: vector<2xi32>) -> vector<4xi32> {
  // CHECK:      func.call @image.fetch_int.s12(
  %a = ocl.image_read %i, %p with %s : !ocl.image<image2d, read>, vector<2xi32> -> vector<4xi32>
  func.return %a : vector<4xi32>
}
// CHECK-LABEL: ocl.kernel @constant_sampler
ocl.kernel @constant_sampler(%i: !ocl.image<image2d, read> {ocl.name = "i"},
                             %o: !ocl.ptr<vector<4xi32>, global> {ocl.name = "o"}) {
  %p = arith.constant dense<1> : vector<2xi32>
  %s = ocl.constant_sampler 18
  %a = func.call @helper(%i, %s, %p) : (!ocl.image<image2d, read>, !ocl.sampler, vector<2xi32>) -> vector<4xi32>
  ocl.store %a, %o : !ocl.ptr<vector<4xi32>, global>
  ocl.return
}
// The branches for other address modes are gone; the loop over the channels of a format is not.
// CHECK:      func.func private @image.fetch_int.s12(
// CHECK-NOT:  cmpi eq, %sampler
// CHECK:      ocl.builtin "s_clamp"
// CHECK:      scf.while
