// 8x8 discrete cosine transform with a table in constant memory and a local block.
// LAUNCH: global=16x8 local=8x8 args: in=rand:f32:8x16:-128:127 out=zeros:f32:8x16
#define C1 0.49039264f
#define C2 0.46193977f
#define C3 0.41573481f
#define C4 0.35355339f
#define C5 0.27778512f
#define C6 0.19134172f
#define C7 0.09754516f
constant float basis[64] = {
  C4,  C4,  C4,  C4,  C4,  C4,  C4,  C4,
  C1,  C3,  C5,  C7, -C7, -C5, -C3, -C1,
  C2,  C6, -C6, -C2, -C2, -C6,  C6,  C2,
  C3, -C7, -C1, -C5,  C5,  C1,  C7, -C3,
  C4, -C4, -C4,  C4,  C4, -C4, -C4,  C4,
  C5, -C1,  C7,  C3, -C3, -C7,  C1, -C5,
  C6, -C2,  C2, -C6, -C6,  C2, -C2,  C6,
  C7, -C5,  C3, -C1,  C1, -C3,  C5, -C7,
};

kernel void dct(global const float *in, global float *out) {
  local float block[8][8];
  int x = get_local_id(0), y = get_local_id(1), w = get_global_size(0);
  int corner = get_group_id(1) * 8 * w + get_group_id(0) * 8;
  float sum = 0.0f;
  for (int i = 0; i < 8; ++i)
    sum += in[corner + y * w + i] * basis[x * 8 + i];
  block[y][x] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0.0f;
  for (int i = 0; i < 8; ++i)
    sum += basis[y * 8 + i] * block[i][x];
  out[corner + y * w + x] = sum;
}
