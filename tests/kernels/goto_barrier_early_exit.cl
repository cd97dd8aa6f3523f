// A jump to the end that only some work-items take, behind the last barrier; and a cleanup label
// with a barrier in front that all of them reach.
// LAUNCH: kernel=early global=64 local=16 args: out=zeros:i32:64 x=rand:i32:64 tile=local:64
// LAUNCH: kernel=meet global=64 local=16 args: out=zeros:i32:64 x=rand:i32:64 tile=local:64
kernel void early(global int *out, global const int *x, local int *tile) {
  int i = get_global_id(0), l = get_local_id(0), a = 0;
  tile[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 16; k++) {
    a += tile[k] & 0xff;
    if (a > 900 + l) goto end;
  }
  a = -a;
end:
  out[i] = a;
}

kernel void meet(global int *out, global const int *x, local int *tile) {
  int i = get_global_id(0), l = get_local_id(0), a = x[i] & 0xffff;
  tile[l] = 0;
  for (int k = 0; k < 4; k++) {
    if (a % (k + 3) == 0) goto all;
    if (a & (1 << k)) goto some;
    a += 3;
  }
some:
  a ^= 0x55;
all:
  tile[l] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = a + tile[15 - l];
}
