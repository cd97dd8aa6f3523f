kernel void scale(global float *x, float a, int n) {
  int i = get_global_id(0);
  if (i < n)
    x[i] *= a;
}

kernel void add(global float *x, global const float *y) { x[get_global_id(0)] += y[get_global_id(0)]; }

kernel void first(global const float *x, global float *s, local float *t) {
  t[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    s[get_group_id(0)] = t[0];
}

typedef struct {
  int w;
  float k;
} Setting;

kernel void apply(global float4 *v, Setting setting) { v[get_global_id(0)] *= setting.k; }
