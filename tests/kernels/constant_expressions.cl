// Constant data whose values are expressions, unions as results of functions, and a switch with a
// declaration in front of its first label.
// LAUNCH: global=8 local=4 args: x=iota:i32:8 out=zeros:i32:8

constant float half_turn = -M_PI_F / 2;
constant int chosen = 3 > 2 ? 5 : 6;
constant uint high = ~0u >> 3;
constant float ratio = (float)7 / 2;
constant int logic = (!0 && 2.5f > 2) + (0 || sizeof(int) == 8) + -(-3);
constant int mixed[] = {(int)(2.5f * 2), (1 < 2) + (uchar)257, -7 / 2, -7 % 3};

union bits {
  int i;
  float f;
};

union bits as_bits(int n) {
  union bits b;
  if (n > 3) {
    b.i = n;
    return b;
  }
  b.f = n;
  return b;
}

kernel void evaluate(global const int *x, global int *out) {
  size_t g = get_global_id(0);
  union bits b = as_bits(x[g]);
  switch (x[g] % 3) {
    int extra;
  case 0:
    extra = 10;
    out[g] = extra + chosen;
    break;
  case 1:
    extra = 20;
  default:
    extra = (int)(half_turn * 100);
    out[g] = extra + (int)(ratio * 10);
  }
  out[g] += b.i + (int)high + logic + mixed[g % 4];
}
