// goto backward makes loops: with the test in front, at the end and in the middle, and nested.
// LAUNCH: kernel=loops global=32 local=8 args: out=zeros:i32:32 n=3
// LAUNCH: kernel=collatz global=40 args: out=zeros:u32:40
kernel void loops(global int *out, int n) {
  int i = get_global_id(0), a = 0, k = 0;
front:
  if (k >= i) goto behind;
  a += k++;
  goto front;
behind:
  k = 0;
end_test:
  a = a * 3 + k;
  if (++k < n) goto end_test;

  k = 0;
outer:
  k++;
  int j = 0;
inner:
  j++;
  if (j > k) goto next;
  a ^= j << k;
  goto inner;
next:
  if (k < n) goto outer;
  out[i] = a;
}

kernel void collatz(global uint *out) {
  uint i = get_global_id(0), n = i + 1, steps = 0;
again:
  if (n == 1) goto done;
  steps++;
  if (n & 1) {
    n = 3 * n + 1;
    goto again;
  }
  n /= 2;
  goto again;
done:
  out[i] = steps;
}
