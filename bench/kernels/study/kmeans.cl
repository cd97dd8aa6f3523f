// The nearest centre of each point; features of all points lie together.
__kernel void assign(__global const float *features, __global const float *centres,
                     __global int *nearest, int points, int clusters, int count) {
  ID point = get_global_id(0);
  if (point < points) {
    int best = 0;
    float least = FLT_MAX;
    for (ID c = 0; c < clusters; c++) {
      float sum = 0.0f;
      for (ID f = 0; f < count; f++) {
        float apart = features[f * points + point] - centres[c * count + f];
        sum += apart * apart;
      }
      if (sum < least) {
        least = sum;
        best = c;
      }
    }
    nearest[point] = best;
  }
}

// From all features of a point together to all points of a feature together.
__kernel void swap(__global const float *by_point, __global float *by_feature, int points,
                   int count) {
  ID point = get_global_id(0);
  if (point < points)
    for (ID f = 0; f < count; f++)
      by_feature[f * points + point] = by_point[point * count + f];
}
