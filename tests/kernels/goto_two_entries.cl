// Loops that are entered at two and three places: no C loop does that.
// LAUNCH: kernel=two global=64 local=16 args: out=zeros:i32:64 n=5
// LAUNCH: kernel=three global=24 local=8 args: out=zeros:i32:24 n=9
kernel void two(global int *out, int n) {
  int i = get_global_id(0), a = i, k = 0;
  if (i & 1) goto middle;
top:
  a = a * 3 + 1;
  if (a % 11 == 0) goto end;
middle:
  a ^= k;
  if (++k < n + (i & 3)) goto top;
end:
  out[i] = a;
}

kernel void three(global int *out, int n) {
  int i = get_global_id(0), a = i, k = 0;
  if (i % 3 == 1) goto second;
  if (i % 3 == 2) goto third;
first:
  a += 7;
  k++;
  if (a % 5 == 2) goto third;
second:
  a *= 3;
  if (k > n) goto end;
third:
  a ^= k;
  k += 2;
  if (a & 4) goto second;
  if (k < 3 * n) goto first;
end:
  out[i] = a * 100 + k;
}
