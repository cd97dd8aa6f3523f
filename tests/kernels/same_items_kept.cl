// Each work-item counts, or may read what the one before it has written.
// LAUNCH: global=32x8x2 local=8x2x2 kernel=counted args: in=rand:i32:64 out=zeros:i32:33
// LAUNCH: global=64x2 local=16x2 kernel=own_rows args: in=rand:i32:64 out=rand:i32:128
kernel void counted(global const int *in, global int *out) {
  atomic_add(&out[32], in[get_group_id(0)]);
  out[get_global_id(0)] = in[get_global_id(0)];
}

kernel void own_rows(global const int *in, global int *out) {
  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[i] += in[get_global_id(0)];
}
