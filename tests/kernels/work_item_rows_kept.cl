// Rows of work-items in which the order of the elements matters, or what is read before them.
// LAUNCH: global=64 local=16 kernel=chain args: in=rand:i32:2560 out=zeros:i32:2560 m=40
// LAUNCH: global=64 local=16 kernel=wrapped args: in=rand:i32:2560 out=zeros:i32:2560 m=40
// LAUNCH: global=64 local=16 kernel=first args: in=rand:i32:2560 out=rand:i32:2560 m=40
// LAUNCH: global=64 local=16 kernel=shared args: in=rand:i32:2560 out=rand:i32:2560 m=37
// Iterations depend on each other.
kernel void chain(global const int *in, global int *out, int m) {
  int i = get_global_id(0);
  for (int j = 1; j < m; j++) out[i * m + j] = out[i * m + j - 1] / 2 + in[j * 64 + i];
}

// Elements of a row are written several times: the last one stays.
kernel void wrapped(global const int *in, global int *out, int m) {
  int i = get_global_id(0);
  for (int j = 0; j < m; j++) out[i * m + j - j / 8 * 8] = in[j * 64 + i];
}

// What all elements of a row are computed from is in the row itself, read before it is written.
kernel void first(global const int *in, global int *out, int m) {
  int i = get_global_id(0);
  int last = out[i * m + m - 1] / 3;
  for (int j = 0; j < m; j++) out[i * m + j] = last + in[j * 64 + i];
}

// Iterations read an element that one of them writes.
kernel void shared(global const int *in, global int *out, int m) {
  int i = get_global_id(0);
  for (int j = 0; j < m; j++) out[i * m + j] = out[i * m + 3] / 2 + in[j * 64 + i];
}
