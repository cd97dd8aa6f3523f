//: global 131072
//: local 256
//: arg r.integers(0, 2, 131072, np.int32)
//: arg r.random(131072, np.float32)
//: arg r.random(131072, np.float32)
// The second step of a search for shortest paths: costs that fell are taken, and marked.
kernel void take_costs(global int *mask, global float *cost, global float *updating) {
  int tid = get_global_id(0);
  if (cost[tid] > updating[tid]) {
    cost[tid] = updating[tid];
    mask[tid] = 1;
  }
  updating[tid] = cost[tid];
}
