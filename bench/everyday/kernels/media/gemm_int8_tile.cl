//: global 128 128
//: local 16 16
//: arg r.integers(-128, 128, (128, 256), np.int8)
//: arg r.integers(-128, 128, (256, 128), np.int8)
//: arg np.zeros((128, 128), np.int32)
//: arg np.int32(256)
kernel void gemm8(global const char *A, global const char *B, global int *C, int K) {
  local char a[16][16], b[16][16];
  int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1), N = get_global_size(0);
  int acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    a[y][x] = A[gy * K + k0 + x];
    b[y][x] = B[(k0 + y) * N + gx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++) acc += a[y][k] * b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[gy * N + gx] = acc;
}
