//: global 4096
//: local 64
//: arg r.random(32768, np.float32)
//: arg r.random(2048, np.float32)
//: arg np.zeros(4096, np.int32)
//: arg np.int32(256)
//: arg np.int32(8)
// Rodinia's way: features of a point in a row, squares added in a loop.
kernel void nearest(global const float *feature, global const float *clusters, global int *membership, int nclusters, int nfeatures) {
  unsigned int point_id = get_global_id(0);
  int index = 0;
  float min_dist = FLT_MAX;
  for (int i = 0; i < nclusters; i++) {
    float dist = 0, ans = 0;
    for (int l = 0; l < nfeatures; l++)
      ans += (feature[point_id * nfeatures + l] - clusters[i * nfeatures + l]) * (feature[point_id * nfeatures + l] - clusters[i * nfeatures + l]);
    dist = ans;
    if (dist < min_dist) {
      min_dist = dist;
      index = i;
    }
  }
  membership[point_id] = index;
}
