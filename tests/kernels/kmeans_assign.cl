// Nearest centre of each point and the centres' new sums in fixed point by atomics.
// LAUNCH: global=40 local=8 args: points=rand:f32:40x2 centres=rand:f32:4x2 nearest=zeros:i32:40 sums=zeros:i32:4x3
kernel void assign(global const float2 *points, constant float2 *centres, global int *nearest,
                   volatile global int *sums) {
  float2 p = points[get_global_id(0)];
  int best = 0;
  float least = INFINITY;
  for (int i = 0; i < 4; ++i) {
    float2 d = p - centres[i];
    float square = d.x * d.x + d.y * d.y;
    if (square < least) {
      least = square;
      best = i;
    }
  }
  nearest[get_global_id(0)] = best;
  atomic_add(&sums[best * 3], (int)(p.x * 1024.0f));
  atomic_add(&sums[best * 3 + 1], (int)(p.y * 1024.0f));
  atomic_inc(&sums[best * 3 + 2]);
}
