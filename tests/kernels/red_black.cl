// A sweep in place over every second element: vectors read what the vectors before have written, but for the
// lanes that are off.
// LAUNCH: global=64 local=64 args: p=rand:f64:66 a=3 b=1.5 colour=1
// LAUNCH: global=96 local=32 args: p=rand:f64:98 a=3 b=1.5 colour=0
kernel void red_black(global double *p, double a, double b, int colour) {
  int i = get_global_id(0) + 1;
  if ((i & 1) == colour) p[i] = (p[i] + (p[i - 1] + p[i + 1]) / a) / b;
}
