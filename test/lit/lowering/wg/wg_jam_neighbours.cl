// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,4,1},ocl-to-wg,widen-indices,wg-vectorize,wg-jam" --remarks 2>&1 >/dev/null | filecheck %s

// The loop runs while any pixel of any tile is inside: pixels of a block of 16 x 4 end at about the same time, those
// of a row of 64 do not. Either is estimated to take as long, and blocks are taken.
// CHECK: wg_jam_neighbours.cl:[[# @LINE + 3]]:{{.*}} 4 rows x 1 vectors share one body [wg-jam]
kernel void julia(global int *out, int w, float re, float im) {
  int n = 0;
  int px = get_global_id(0), py = get_global_id(1);
  float x = px * 0.01f - 1, y = py * 0.01f - 1;
  while (x * x + y * y < 4 && n < 99) {
    float t = x * x - y * y + re;
    y = 2 * x * y + im;
    x = t;
    n++;
  }
  out[py * w + px] = n;
}
