// Indices that are sums of unsigned numbers: some never wrap, some wrap to what is meant.
// LAUNCH: global=64 local=32 kernel=groups args: in=rand:i32:200 out=zeros:i32:64
// LAUNCH: global=64 local=32 offset=9 kernel=offsets args: in=rand:i32:200 out=zeros:i32:80
// LAUNCH: global=64 local=32 kernel=wraps args: in=rand:i32:256 out=zeros:i32:64 n=5
// LAUNCH: global=64 local=32 kernel=always args: in=rand:i32:256 out=zeros:i32:64
kernel void groups(global const int *in, global int *out) {
  uint l = get_local_id(0), g = get_group_id(0), sum = 0;
  for (uint i = g * 64 + l; i < g * 64 + 64; i += 32) sum += in[i];
  for (uint k = 0; k < 3; k++) sum = sum * 3 + in[2 * g + 5 * l + k];
  out[get_global_id(0)] = sum;
}

kernel void offsets(global const int *in, global int *out) {
  uint i = get_global_id(0), j = 2 * i + 1;
  out[i] = in[j] - in[i] + in[63u - (uint)get_local_id(0)];
}

kernel void wraps(global const int *in, global int *out, uint n) {
  uint i = get_global_id(0), l = get_local_id(0);
  out[i] = in[(l - 3) & 255] + in[(ulong)(uint)(l - 40u) % 251] + in[(i * 0x10000001u) % 256]
           + in[(l - n + 5)];
}

// Guards that all work-items pass, and that none passes.
kernel void always(global const int *in, global int *out) {
  int l = get_local_id(0), i = get_global_id(0), sum = 0;
  if (l < 32) sum += in[i];
  if (l < 33 && i >= 0) sum += 2 * in[i + 1];
  if (l >= 32) {
    sum = 7;
    if (l > 40) sum = 8;
  } else {
    sum *= 3;
  }
  for (int k = 0; k < 4; k++)
    if (l + 32 * k < 128) sum += in[l + 32 * k];
  if (l < 31) sum++;
  out[i] = sum;
}
