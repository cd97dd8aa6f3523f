// RUN: ocl-opt %s | filecheck %s

// What every work-item reaches is an assumption on the arguments. It is never evaluated.
// CHECK: ocl.kernel @fact({{.*}}assume = ["n > 0 and (n) % 8 == 0", "4 <= m"
// CHECK-NOT: remsi
kernel void fact(global int *o, int n, uint m, local int *l) {
  __builtin_assume(n > 0 && n % 8 == 0);
  int x = 3;
  __builtin_assume(4u <= m);
  __builtin_assume(o[0] > 3 && x++);
  o[0] = n + x;
}

// Numbers that may wrap, arguments that change, and branches: no fact.
// CHECK: ocl.kernel @none(
// CHECK-NOT: assume
kernel void none(global int *o, int n, uint m) {
  __builtin_assume(m + 1 > 3 && m > 0);
  __builtin_assume(n > 3u);
  if (o[0])
    __builtin_assume(m > 3);
  __builtin_assume(m > 0);
}

kernel void changed(global int *o, int n) {
  __builtin_assume(n > 0);
  o[0] = n--;
  o[1] = n;
}
