// goto around and between barriers: all work-items of a group go the same way to each of them.
// LAUNCH: kernel=around global=64 local=16 args: out=zeros:i32:64 tile=local:64 n=2
// LAUNCH: kernel=around global=64 local=16 args: out=zeros:i32:64 tile=local:64 n=0
// LAUNCH: kernel=rounds global=48 local=8 args: out=zeros:i32:48 tile=local:32 n=5
// LAUNCH: kernel=two_entries global=64 local=8 args: out=zeros:i32:64 tile=local:32 n=4
kernel void around(global int *out, local int *tile, int n) {
  int i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
  int a = i;
  tile[l] = a;
  if (n == 0) goto without;
  barrier(CLK_LOCAL_MEM_FENCE);
  a += tile[size - 1 - l];
  if (l & 1) goto odd;
  a *= 2;
odd:
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  a += tile[(l + n) % size];
  if (get_group_id(0) == 1) goto end;
without:
  a += 100000;
end:
  out[i] = a;
}

kernel void rounds(global int *out, local int *tile, int n) {
  int l = get_local_id(0), size = get_local_size(0), k = 0, a = get_global_id(0);
again:
  tile[l] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = tile[(l + 1) % size];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (other & 1) goto skip;
  a += other;
skip:
  a += k;
  if (++k == n) goto done;
  if (k == 3) goto again;
  a ^= 5;
  goto again;
done:
  out[get_global_id(0)] = a;
}

kernel void two_entries(global int *out, local int *tile, int n) {
  int l = get_local_id(0), size = get_local_size(0), k = 0, a = get_global_id(0);
  tile[l] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_group_id(0) & 1) goto middle;
top:
  a += tile[(l + k) % size];
  barrier(CLK_LOCAL_MEM_FENCE);
middle:
  tile[l] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (++k < n) goto top;
  out[get_global_id(0)] = a;
}
