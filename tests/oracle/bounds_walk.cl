// A pointer walks one element too far.
// EXPECT: bounds 8:12
// LAUNCH: kernel=bug global=1 local=1 args: x=perm:i32:8 y=zeros:i32:1
// LAUNCH: kernel=clean global=1 local=1 args: x=perm:i32:8 y=zeros:i32:1
kernel void bug(global const int *x, global int *y) {
  int sum = 0;
  for (global const int *p = x; p <= x + 8; ++p)
    sum += *p;
  y[0] = sum;
}

kernel void clean(global const int *x, global int *y) {
  int sum = 0;
  for (global const int *p = x; p < x + 8; ++p)
    sum += *p;
  y[0] = sum;
}
