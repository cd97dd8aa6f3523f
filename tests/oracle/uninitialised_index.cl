// An index that is not set for some.
// EXPECT: uninitialised 9:10 7:3
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0), place;
  if (i < 7)
    place = i;
  y[i] = x[place];
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0), place;
  if (i < 7)
    place = i;
  else
    place = 0;
  y[i] = x[place];
}
