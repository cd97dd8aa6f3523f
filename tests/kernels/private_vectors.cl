// Private arrays of vectors and of numbers whose indices are known, without barriers.
// LAUNCH: global=40 local=8 kernel=rows args: in=rand:u8:200 out=zeros:u8:160 n=40
// LAUNCH: global=40 local=8 kernel=loops args: in=rand:i32:200 out=zeros:i32:40
// LAUNCH: global=40 local=8 kernel=branches args: in=rand:i32:200 out=zeros:i32:160 n=21
kernel void rows(global const uchar *in, global uchar *out, int n) {
  int x = get_global_id(0);
  uchar4 row[3], parts[2];
  row[0] = vload4(x, in);
  row[1].even = (uchar2)(in[x], in[x + 1]);
  row[1].odd = (uchar2)(1, 2);
  row[2] = x == 0 ? row[0].wzyx : x == n - 1 ? row[1] : (uchar4)(row[0].yzw, row[1].x);
  parts[0] = row[0] + row[1];
  parts[1] = parts[0] ^ row[2];
  vstore4(parts[1], x, out);
}

kernel void loops(global const int *in, global int *out) {
  int x = get_global_id(0), window[5], sum = 0;
  for (int k = 0; k < 5; k++) window[k] = in[x + 3 * k];
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 4; k++) window[k] = window[k + 1] * (j + 2) - window[k];
  for (int k = 4; k >= 0; k--) sum = 3 * sum + window[k];
  out[x] = sum;
}

kernel void branches(global const int *in, global int *out, int n) {
  int x = get_global_id(0);
  int4 value[2] = {vload4(x, in), (int4)(x)};
  if (x < n) value[0].x = value[1].y + 7;
  else value[1] = value[0] * 2;
  for (int k = 0; k < x % 3; k++) {
    value[0] += value[1];
    if (value[0].z & 1) value[1].w++;
  }
  vstore4(value[0] ^ value[1], x, out);
}
