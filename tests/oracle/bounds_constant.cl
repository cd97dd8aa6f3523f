// An index beyond a table in constant memory.
// EXPECT: bounds 7:25
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
constant int table[6] = {1, 1, 2, 3, 5, 8};
kernel void bug(global const int *x, global int *y) {
  y[get_global_id(0)] = table[x[get_global_id(0)]];
}

kernel void clean(global const int *x, global int *y) {
  y[get_global_id(0)] = table[x[get_global_id(0)] % 6];
}
