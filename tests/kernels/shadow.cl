// Names: shadowing in nested blocks and loops, parameters that are changed, helpers and variables
// named as builtins and kernel arguments, labels of macros.
// LAUNCH: global=16 local=4 args: x=rand:i32:16 y=zeros:i32:16 n=5
int x_of(int x) { int y = x; { int x = y + 1; y = x * 2; } return x + y; }
kernel void names(global const int *x, global int *y, int n) {
  int i = get_global_id(0), index = i, length_ = 3;
  for (int i = 0; i < n; ++i) {
    int n = i * 2;
    index += n;
    { int i = 100; index += i; }
  }
  while (n-- > 0)
    index ^= n;
  int max_ = max(index, 7);
  { float index = 2.5f; max_ += (int)(index * 2); }
  y[i] = x[i] + x_of(index) + max_ + n + length_;
}
