// One pass over all pairs: is it shorter through node k? The last node of a path is kept, too.
__kernel void floyd_warshall(__global int *distance, __global int *path, int n, int k) {
  ID x = get_global_id(0), y = get_global_id(1);
  int direct = distance[y * n + x];
  int through = distance[y * n + k] + distance[k * n + x];
  if (through < direct) {
    distance[y * n + x] = through;
    path[y * n + x] = k;
  }
}
