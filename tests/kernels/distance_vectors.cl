// Tables of vectors: of two, three and four components, read whole or by component.
// LAUNCH: global=32x8 local=16x4 args: in=iota:f32:256 out=zeros:f32:256 w=32 h=8
constant int2 off[8] = {(int2)(-1, -1), (int2)(0, -1), (int2)(1, -1), (int2)(-1, 0),
                        (int2)(1, 0), (int2)(-1, 1), (int2)(0, 1), (int2)(1, 1)};
constant char3 far[2] = {(char3)(-3, 2, 1), (char3)(5, -1, 2)};
constant float4 weights[2] = {(float4)(0.5f, 2.0f, -1.0f, 4.0f), (float4)(1.0f)};
kernel void distance_vectors(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int n = 0; n < 8; n++) {
    int nx = clamp(x + off[n].x, 0, w - 1), ny = clamp(y + off[n].y, 0, h - 1);
    sum += in[ny * w + nx];
  }
  for (int n = 0; n < 2; n++) {
    int3 d = convert_int3(far[n]) * 2;
    int2 at = clamp((int2)(x, y) + d.xy, (int2)(0), (int2)(w - 1, h - 1));
    sum += d.z * in[at.y * w + at.x] * weights[n].w;
  }
  out[y * w + x] = sum + dot(weights[1], weights[0]);
}
