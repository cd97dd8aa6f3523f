// Signed division rounds towards zero and the remainder has the sign of the dividend; 8, 16 and
// 32 bits; by constants and by variables.
// LAUNCH: global=32 local=8 args: x=rand:i32:32:-1000:1000 y=rand:i32:32:1:12 out=zeros:i32:32x8
kernel void divide(global const int *x, global const int *y, global int8 *out) {
  size_t g = get_global_id(0);
  int a = x[g], b = g & 1 ? y[g] : -y[g];
  char c = (char)(a % 128), d = (char)b;
  out[g] = (int8)(a / b, a % b, a / 7, a % -7, c / d, c % d, (short)a / (short)b, a / 8 + a % 16);
}
