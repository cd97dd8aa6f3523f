//: global 4096
//: local 64
//: data C = r.uniform(-5, 5, (512, 3)).astype(np.float32)
//: data C = C[np.argsort(C[:, 0])]
//: data LO = [C - np.float32(0.3)]
//: data HI = [C + np.float32(0.3)]
//: data X = [(LO.append(np.minimum(LO[-1][::2], LO[-1][1::2])), HI.append(np.maximum(HI[-1][::2], HI[-1][1::2]))) for _ in range(9)]
//: data Z = np.zeros((1, 3), np.float32)
//: arg np.concatenate([Z] + LO[::-1])
//: arg np.concatenate([Z] + HI[::-1])
//: arg C
//: arg r.standard_normal((4096, 3), dtype=np.float32)
//: arg np.zeros(4096, np.float32)
// Rays through a complete binary tree of boxes, with a stack.
#define LEAVES 512
bool slab(float3 o, float3 inv, float3 lo, float3 hi, float best) {
  float3 a = (lo - o) * inv, b = (hi - o) * inv;
  float3 near = fmin(a, b), far = fmax(a, b);
  float t0 = fmax(fmax(near.x, near.y), fmax(near.z, 0.0f));
  float t1 = fmin(fmin(far.x, far.y), fmin(far.z, best));
  return t0 <= t1;
}

kernel void trace(global const float *lo, global const float *hi, global const float *centre, global const float *dir,
                  global float *dist) {
  int i = get_global_id(0);
  float3 o = (float3)(-8.0f, 0.0f, 0.0f);
  float3 d = normalize(vload3(i, dir));
  float3 inv = 1.0f / d;
  float best = 1e30f;
  int stack[24], top = 0;
  stack[top++] = 1;
  while (top > 0) {
    int node = stack[--top];
    if (!slab(o, inv, vload3(node, lo), vload3(node, hi), best)) continue;
    if (node >= LEAVES) {
      float3 c = vload3(node - LEAVES, centre) - o;
      float b = dot(c, d), det = b * b - dot(c, c) + 0.09f;
      if (det >= 0.0f) {
        float t = b - sqrt(det);
        if (t > 0.0f && t < best) best = t;
      }
    } else {
      stack[top++] = 2 * node + 1;
      stack[top++] = 2 * node;
    }
  }
  dist[i] = best;
}
