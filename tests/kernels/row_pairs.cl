// Short loops along rows of each work-item's own, which wg-unroll-rows unrolls, alone and in loops
// that go on by as many elements, which wg-read-rows lets go on by 16 bytes.

// LAUNCH: kernel=pairs global=21 local=7 args: a=rand:f32:420 out=zeros:f32:21 n=20
// LAUNCH: kernel=pairs global=16 local=16 args: a=rand:f32:420 out=zeros:f32:16 n=17
// LAUNCH: kernel=pairs global=8 local=8 args: a=rand:f32:420 out=zeros:f32:8 n=3
// LAUNCH: kernel=pairs global=8 local=8 args: a=rand:f32:420 out=zeros:f32:8 n=-5
kernel void pairs(global const float *a, global float *out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; j += 2)
    for (int k = 0; k < 2; k++) s = s * 0.5f + a[i * 20 + j + k];
  out[i] = s;
}

// LAUNCH: kernel=fours global=16 local=16 args: a=rand:u8:1000 out=zeros:u32:16 first=3 n=45
// LAUNCH: kernel=fours global=13 local=13 args: a=rand:u8:1000 out=zeros:u32:13 first=0 n=32
kernel void fours(global const uchar *a, global uint *out, int first, int n) {
  int i = get_global_id(0);
  uint h = 5381;
  for (int j = first; j < n; j += 4)
    for (int k = 0; k < 4; k++) h = h * 33 ^ a[i * 60 + j + k];
  out[i] = h;
}

// LAUNCH: kernel=tiles global=16 local=8 args: a=rand:f32:256 out=zeros:f32:256
kernel void tiles(global const float *a, global float *out) {
  local float tile[8 * 17];
  int l = get_local_id(0), first = get_group_id(0) * 128;
  for (int j = 0; j < 2; j++)
    for (int k = 0; k < 4; k++) tile[l * 17 + j * 4 + k] = a[first + l * 8 + j * 4 + k];
  for (int k = 8; k < 16; k += 2) tile[l * 17 + k] = a[first + k * 8 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < 8; j++) out[first + j * 8 + l] = tile[j * 17 + l];
  for (int k = 8; k < 16; k += 2) out[first + k * 8 + l] = tile[l * 17 + k] + 1;
}

// LAUNCH: kernel=boxes global=16x8 local=8x4 args: a=rand:f32:1024 out=zeros:f32:512 w=32
kernel void boxes(global const float *a, global float *out, int w) {
  local float tile[8 * 17];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * 16, row = get_group_id(1) * 8;
  for (int k = 0; k < 2; k++)
    for (int r = 0; r < 2; r++)
      tile[(2 * y + r) * 17 + 2 * x + k] = a[(row + 2 * y + r) * w + column + 2 * x + k];
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int j = 0; j < 16; j += 2)
    for (int k = 0; k < 2; k++) s = s * 0.5f + tile[x * 17 + j + k];
  out[(row + 2 * y) * w + column + 2 * x] = s + tile[(2 * y + 1) * 17 + x];
  out[(row + 2 * y) * w + column + 2 * x + 1] = s - tile[2 * y * 17 + x];
}
