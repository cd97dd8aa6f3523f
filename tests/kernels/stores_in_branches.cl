// Stores in branches, to elements that a work-item has accessed before, and to others.
// LAUNCH: global=40 local=20 kernel=exchange args: x=rand:i32:80
// LAUNCH: global=40 local=20 kernel=sides args: x=rand:i32:40 y=rand:i32:40
// LAUNCH: global=40 local=20 kernel=twice args: x=rand:i32:40
// LAUNCH: global=40 local=20 kernel=nested args: x=rand:i32:40
// LAUNCH: global=40 local=20 kernel=in_loop args: x=rand:i32:40
// LAUNCH: global=40 local=20 kernel=others args: x=rand:i32:80 y=rand:i32:40
// LAUNCH: global=40 local=20 kernel=zeroed args: x=rand:i32:40 out=rand:i32:40
// LAUNCH: global=40 local=20 kernel=bytes args: x=rand:u8:40 rows=rand:f32:160
// LAUNCH: global=40 local=20 kernel=ordered args: x=rand:i32:40 count=zeros:i32:1
kernel void exchange(global int *x) {
  int i = get_global_id(0), n = get_global_size(0);
  int a = x[i], b = x[n + i];
  if (a > b) { x[i] = b; x[n + i] = a; }
}

kernel void sides(global int *x, global int *y) {
  int i = get_global_id(0), u = x[i], v = y[i];
  if (u > v) { x[i] = v; } else { x[i] = u + 1; y[i] = 3; }
}

kernel void twice(global int *x) {
  int i = get_global_id(0), u = x[i];
  if (u & 1) x[i] = u * 3;
  if (u & 2) x[i] = u * 5;
}

kernel void nested(global int *x) {
  int i = get_global_id(0), u = x[i];
  if (u & 1) {
    if (u & 2) x[i] = u * 3;
    if (u & 4) { x[i] = u * 5; if (u & 8) x[i] = u * 7; }
  }
}

kernel void in_loop(global int *x) {
  int i = get_global_id(0), u = x[i];
  for (int k = 0; k < 5; k++)
    if ((u >> k) & 1) x[i] = u + k;
}

// Its own element, after another one that may be the same.
kernel void others(global int *x, global int *y) {
  int i = get_global_id(0), n = get_global_size(0), u = x[i], v = y[i];
  x[n + i] = u;
  y[i] = 2 * v;
  if (u > v) { x[i] = v; y[i] = u; }
}

kernel void zeroed(global const int *x, global int *out) {
  int i = get_global_id(0);
  out[i] = 0;
  if (x[i] > 5) out[i] = x[i];
}

kernel void bytes(global uchar *x, global float4 *rows) {
  int i = get_global_id(0);
  uchar u = x[i];
  float4 v = rows[i];
  if (u > 100) { x[i] = 255 - u; rows[i] = v * 2.0f + u; }
}

// Work-items wait for one another: who writes an element may have read that another one is done.
kernel void ordered(global int *x, volatile global int *count) {
  int i = get_global_id(0), u = x[i];
  if (u & 1) { x[i] = 2 * u; atomic_inc(count); }
}
