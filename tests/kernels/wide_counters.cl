// Counters of 64 bits without a sign, against bounds that might be negative numbers.
// LAUNCH: global=64 local=32 kernel=grid args: in=rand:i32:300 out=zeros:i32:300 n=300
// LAUNCH: global=64 local=32 kernel=grid args: in=rand:i32:300 out=zeros:i32:300 n=0
// LAUNCH: global=64 local=32 kernel=group args: in=rand:i32:300 out=zeros:i32:64 n=290
// LAUNCH: global=64 local=32 kernel=inclusive args: in=rand:i32:300 out=zeros:i32:64 n=65
// LAUNCH: global=64 local=32 kernel=wraps args: in=rand:i32:300 out=zeros:i32:64 n=5
kernel void grid(global const int *in, global int *out, int n) {
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i] + 1;
}

kernel void group(global const int *in, global int *out, int n) {
  int sum = 0;
  size_t l = get_local_id(0), size = get_local_size(0), end = n;
  for (size_t i = get_group_id(0) * 150 + l; i < end; i += size) sum += in[i];
  out[get_global_id(0)] = sum;
}

kernel void inclusive(global const int *in, global int *out, long n) {
  int sum = 0;
  for (ulong i = get_global_id(0); i <= (ulong)n; i += 3) sum += in[i];
  out[get_global_id(0)] = sum;
}

// The start is 2^64 - 5: the counter has no sign, and the loop is left alone.
kernel void wraps(global const int *in, global int *out, int n) {
  int sum = 0;
  for (ulong i = -(ulong)n; i < (ulong)-2; i++) sum += in[i + n];
  out[get_global_id(0)] = sum;
}
