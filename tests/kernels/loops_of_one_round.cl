// Work-items go through elements in steps of the local size: where it is not below their number,
// one round is enough. 12 elements for 16 work-items, then 20, and a variable that each round of an
// outer loop sets back.
// LAUNCH: kernel=one_round global=32 local=16 args: in=rand:i32:20:-99:99 out=zeros:i32:32 last=zeros:i32:64 n=3
kernel void one_round(global const int *in, global int *out, global int *last, int n) {
  local int tile[20];
  int id = get_local_id(0), size = get_local_size(0), i = id;
  while (i < 12) {
    tile[i] = in[i] + 1;
    i += size;
  }
  last[get_global_id(0)] = i;
  for (uint j = id; j < 8u; j += size)
    tile[12 + j] = in[12 + j] - 1;
  i = id;
  int sum = 0;
  for (int k = 0; k < n; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    while (i < 14) {
      sum += tile[i] * (k + 1);
      i += size;
    }
    while (i <= 20) {
      sum -= i;
      i += size;
    }
    i = id;
  }
  for (int k = 0; k < 1; k++)
    sum += k + 5;
  out[get_global_id(0)] = sum;
  last[32 + get_global_id(0)] = i;
}

// Steps of a macro that is 1: the loop starts at a remainder by it, which is 0.
// LAUNCH: kernel=steps_of_one global=8 local=8 args: in=rand:i32:48 out=zeros:i32:8 n=5
#define STEP (16 / 16)
kernel void steps_of_one(global const int *in, global int *out, int n) {
  int lane = get_local_id(0) / STEP, sum = (int)(in[lane] % STEP);
  for (int i = get_local_id(0) % STEP; i < n; i += STEP)
    sum = sum * 3 + in[i * 8 + lane];
  out[get_global_id(0)] = sum;
}
