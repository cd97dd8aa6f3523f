// Local memory starts without a value.
// EXPECT: uninitialised 9:3 9:25
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int sum[8];
  int l = get_local_id(0);
  sum[l] += x[get_global_id(0)];
  y[get_global_id(0)] = sum[l];
}

kernel void clean(global const int *x, global int *y) {
  local int sum[8];
  int l = get_local_id(0);
  sum[l] = 0;
  sum[l] += x[get_global_id(0)];
  y[get_global_id(0)] = sum[l];
}
