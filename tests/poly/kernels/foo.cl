// [split16], Figure 5, in every group.
kernel void f(global int *A, global const int *B, int least) {
  int x = get_local_id(0);
  A[get_global_id(0)] = B[max(5, x)] + B[max(least, x)];
}
