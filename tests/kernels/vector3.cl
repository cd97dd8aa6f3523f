// 3-element vectors: in registers, in buffers by vload3 and vstore3, in structures.
// LAUNCH: global=8 local=2 args: x=rand:f32:24 y=zeros:f32:24 s=rand:{pos:f32x3,id:i32}:8
typedef struct { float3 pos; int id; } Item;

kernel void triples(global const float *x, global float *y, global Item *s) {
  size_t g = get_global_id(0);
  // Whole numbers: dot and cross may round as they like.
  float3 v = floor(vload3(g, x) * 16.0f);
  float3 w = floor(s[g].pos.zxy * 64.0f);
  v = v * w + (float3)(1.0f, 2.0f, 3.0f);
  v.y = dot(v, w);
  s[g].pos = v - w;
  s[g].id += (int)sizeof(float3);
  vstore3(cross(v, w), g, y);
}
