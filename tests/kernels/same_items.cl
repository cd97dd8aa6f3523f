// Work-items that all do the same: all of a group, its rows, its columns, after a barrier, with
// private arrays, under a condition, and in a loop.
// LAUNCH: global=64 local=16 kernel=all args: in=rand:i32:40 out=zeros:i32:3 n=37
// LAUNCH: global=32x8 local=16x4 kernel=all args: in=rand:i32:40 out=zeros:i32:3 n=0
// LAUNCH: global=32x8 local=16x4 kernel=rows args: in=rand:i32:256 out=zeros:i32:32 n=8
// LAUNCH: global=32x8 local=16x4 kernel=columns args: in=rand:i32:256 out=zeros:i32:8 n=32
// LAUNCH: global=32x8 local=16x4 kernel=tile args: in=rand:i32:256 out=zeros:i32:16
// LAUNCH: global=64 local=16 kernel=sometimes args: in=rand:i32:64 out=zeros:i32:4 n=3
kernel void all(global const int *in, global int *out, int n) {
  int found[4] = {0, 0, 0, 0};
  for (int i = 0; i < n; i++) found[in[i] & 3] += in[i];
  out[0] = found[0];
  out[1] = found[1] + found[2];
  if (n > 3) out[2] = found[3];
}

kernel void rows(global const int *in, global int *out, int n) {
  size_t x = get_global_id(0);
  int sum = 0;
  for (int i = 0; i < n; i++) sum += in[i * get_global_size(0) + x];
  out[x] = sum;
}

kernel void columns(global const int *in, global int *out, int n) {
  size_t y = get_global_id(1);
  int sum = 0;
  for (int i = 0; i < n; i++) sum += in[y * n + i];
  out[y] = sum;
}

kernel void tile(global const int *in, global int *out) {
  local int part[16];
  int x = get_local_id(0);
  part[x] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int i = 0; i < 16; i++) sum += part[i] * i;
  size_t group = get_group_id(0) * get_num_groups(1) + get_group_id(1);
  out[group] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  part[x] = sum - x;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[group + 8] = part[3] + get_local_size(1);
}

kernel void sometimes(global const int *in, global int *out, int n) {
  size_t group = get_group_id(0);
  int i = 0;
  while (in[group * 16 + i] % n != 0 && i < 15) i++;
  if (i > 2) out[group] = i;
}
