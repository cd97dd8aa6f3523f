// LAUNCH: kernel=slow global=1048576 args: key=rand:u32:1048576 out=zeros:u32:1048576 buckets=1000
// LAUNCH: kernel=advised global=1048576 args: key=rand:u32:1048576 out=zeros:u32:1048576 buckets=1000
kernel void slow(global const uint *key, global uint *out, ulong buckets) {
  int i = get_global_id(0);
  out[i] = (ulong)key[i] % buckets;  // explain: integer-division
}

kernel void advised(global const uint *key, global uint *out, uint buckets) {
  int i = get_global_id(0);
  out[i] = key[i] % buckets;
}
