// Shifts: amounts are taken modulo the width of the promoted left operand, right shifts of
// signed values copy the sign, compound shifts of small types, vector shifts.
// LAUNCH: global=40 local=8 args: x=rand:i32:40:-2147483648:2147483647 out=zeros:i32:40x8
kernel void shift(global const int *x, global int8 *out) {
  int n = get_global_id(0);
  int a = x[n];
  uint u = (uint)a;
  uchar c = (uchar)a;
  c >>= n & 7;
  short s = (short)a;
  s >>= 3;
  s = (short)(s << 2);
  ushort4 v = (ushort4)((ushort)a) >> (ushort4)(0, 1, 15, (ushort)n);
  out[n] = (int8)((int)(u << n), a >> n, (int)(u >> n), c, s, (int)(u << 31 >> 31), v.y + v.z,
                  v.w);
}
