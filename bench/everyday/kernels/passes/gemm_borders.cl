//: global 32 32
//: local 8 8
//: arg r.random(250 * 130, np.float32)
//: arg r.random(130 * 250, np.float32)
//: arg np.zeros(250 * 250, np.float32)
//: arg np.int32(250)
//: arg np.int32(250)
//: arg np.int32(130)
//: arg np.float32(0.5)
//: arg np.float32(0.25)
// C = alpha A B + beta C, 8 x 8 sums in registers, rows and columns at the border tested one by one.
#define EACH(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7)
#define ROW_A(i) float a##i = y0 + i < m ? A[(y0 + i) * k + p] : 0.0f;
#define COL_B(j) float b##j = x0 + j < n ? B[p * n + x0 + j] : 0.0f;
#define ZERO(i) float8 c##i = (float8)(0.0f);
#define ADD(i) c##i.s0 += a##i * b0; c##i.s1 += a##i * b1; c##i.s2 += a##i * b2; c##i.s3 += a##i * b3; \
               c##i.s4 += a##i * b4; c##i.s5 += a##i * b5; c##i.s6 += a##i * b6; c##i.s7 += a##i * b7;
#define PUT1(i, j) if (y0 + i < m && x0 + j < n) { \
    int o = (y0 + i) * n + x0 + j; \
    if (beta == 0.0f) C[o] = alpha * c##i.s##j; else C[o] = alpha * c##i.s##j + beta * C[o]; }
#define PUT(i) PUT1(i, 0) PUT1(i, 1) PUT1(i, 2) PUT1(i, 3) PUT1(i, 4) PUT1(i, 5) PUT1(i, 6) PUT1(i, 7)

kernel void gemm_borders(global const float *A, global const float *B, global float *C,
                         int m, int n, int k, float alpha, float beta) {
  int x0 = get_global_id(0) * 8, y0 = get_global_id(1) * 8;
  if (x0 >= n || y0 >= m) return;
  EACH(ZERO)
  for (int p = 0; p < k; p++) {
    EACH(ROW_A)
    EACH(COL_B)
    EACH(ADD)
  }
  EACH(PUT)
}
