// A rotation by hand shifts by a negative number.
// EXPECT: shift warning 8:10
// LAUNCH: kernel=bug global=8 local=8 args: x=iota:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=iota:i32:8 y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  uint v = 0x12345678;
  y[i] = v >> (x[i] - 4);
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  uint v = 0x12345678;
  y[i] = rotate(v, (uint)(4 - x[i]));
}
