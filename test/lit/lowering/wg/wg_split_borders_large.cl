// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,select-values,wg-split-borders" --remarks 2>&1 >/dev/null | filecheck %s

// A region of more than 400 operations is split by what that saves: its copies take time to compile.
#define FOUR(f, k) f(k) f(k + 1) f(k + 2) f(k + 3)
#define MANY(f) FOUR(f, 0) FOUR(f, 4) FOUR(f, 8) FOUR(f, 12) FOUR(f, 16) FOUR(f, 20) FOUR(f, 24) FOUR(f, 28)

// All of this is addresses at the border.
#define NEIGHBOURS(k) sum += in[x > k ? x - k : 0] + in[x + k < n ? x + k : n - 1];
// CHECK: [[# @LINE + 2]]:11: remark: split along x: inside, neighbours read neighbours in 64 more accesses [wg-split-borders]
kernel void addresses(global const float *in, global float *out, int n) {
  int x = get_global_id(0);
  float sum = 0;
  MANY(NEIGHBOURS)
  out[x] = sum;
}

// Two of many operations are.
#define ARITHMETIC(k) sum = (sum * k + sum) / 3.0f; sum = sqrt(sum) * sum; sum = (sum - 1.5f) / (sum + 2.0f); sum *= sum + 2.5f; sum -= sum * 1.25f;
// CHECK: [[# @LINE + 2]]:11: remark: not split: {{[0-9]+}} operations are too many to be 1.{{[0-9]}} times as fast [wg-split-borders]
kernel void arithmetic(global const float *in, global float *out, int n) {
  int x = get_global_id(0);
  float sum = 0;
  NEIGHBOURS(1)
  MANY(ARITHMETIC)
  MANY(ARITHMETIC)
  out[x] = sum;
}
