// RUN: ocl-opt %s -t opencl-c | filecheck %s

// An array of numbers that is read as vectors starts where a vector may.

// CHECK: local float tile[64] __attribute__((aligned(16)));
// CHECK: local float plain[64];
ocl.kernel @k(%out: !ocl.ptr<f32, global> {ocl.name = "out"}) {
  %tile = ocl.local_alloc : !ocl.ptr<!ocl.array<64 x f32>, local>
  %plain = ocl.local_alloc : !ocl.ptr<!ocl.array<64 x f32>, local>
  %i = ocl.local_id 0 : index
  %numbers = ocl.cast %tile : !ocl.ptr<!ocl.array<64 x f32>, local> to !ocl.ptr<f32, local>
  %vectors = ocl.cast %numbers : !ocl.ptr<f32, local> to !ocl.ptr<vector<4xf32>, local>
  %four = ocl.load %vectors[%i] : !ocl.ptr<vector<4xf32>, local>
  %first = vector.extract %four[0] : f32 from vector<4xf32>
  %others = ocl.cast %plain : !ocl.ptr<!ocl.array<64 x f32>, local> to !ocl.ptr<f32, local>
  %other = ocl.load %others[%i] : !ocl.ptr<f32, local>
  %sum = arith.addf %first, %other : f32
  ocl.store %sum, %out[%i] : !ocl.ptr<f32, global>
  ocl.return
}
