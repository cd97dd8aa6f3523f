// A pointer that is chosen at run time: by ?:, in a loop, null or not, and as a cast of another.
// LAUNCH: global=16 local=8 args: a=rand:i32:16 b=rand:i32:16 y=zeros:i32:16 empty=null
// LAUNCH: global=4 local=2 args: a=rand:i32:4 b=rand:i32:4 y=zeros:i32:4 empty=values:i32:100,200,300,400
kernel void choose(global const int *a, global const int *b, global int *y,
                   global const int *empty) {
  size_t g = get_global_id(0);
  global const int *p = a[g] > b[g] ? a : b;
  int v = p[g] * 2 + (p == a);
  for (int i = 0; i < 3; ++i) {
    v += p[g];
    p = p == a ? b : a;
  }
  if (empty)
    v += empty[g];
  global const uchar *bytes = (global const uchar *)(a + g);
  v += bytes[0] * 1000;
  global const void *any = b;
  v += ((global const short *)any)[2 * g];
  y[g] = v;
}
