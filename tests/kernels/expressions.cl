// The comma operator, ?: with side effects, && and || that stop early, assignment as a value,
// pre- and post-increment, order of operators.
// LAUNCH: global=32 local=8 args: x=rand:i32:32:-20:20 y=zeros:i32:32x8
int count(int *calls, int result) {
  ++*calls;
  return result;
}

kernel void evaluate(global const int *x, global int *y) {
  int g = get_global_id(0), v = x[g], calls = 0, a, b, c;
  global int *r = y + 8 * g;
  r[0] = (a = v, b = a + 1, a * b);
  r[1] = (v > 0 && count(&calls, v & 1)) || count(&calls, v & 2);
  r[2] = calls;
  r[3] = v < 0 ? count(&calls, -v) : v == 0 ? 7 : v + calls;
  a = b = c = v;
  a += b -= c *= 2;
  r[4] = a * 100 + b;
  r[5] = c++;
  r[5] += 10 * --c;
  r[6] = v & 3 | 4 ^ v >> 1 + 1 == 2 << 1;
  int index = 0;
  int list[4] = {0, 0, 0, 0};
  list[index++] = 5;
  list[index] = index + 1;
  list[++index] += list[0] ? list[1]-- : 0;
  r[7] = -v - - v + +v + !v + ~v + !!v * 1000 + list[0] + list[1] * 10 + list[2] * 100;
}
