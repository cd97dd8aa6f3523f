// RUN: ocl-opt %s -p inline-functions,promote-private-memory,promote-private-arrays | filecheck %s

// The counter of a while loop takes the numbers 2 and 1, and indices are computed from it by any
// arithmetic: after unrolling all are known, and so are the branches.
kernel void butterflies(global int *x) {
  int v[4];
  for (int k = 0; k < 4; k++)
    v[k] = x[k];
  for (int step = 2; step > 0; step /= 2)
    for (int k = 0; k < 4; k++)
      if (!(k & step)) {
        int sum = v[k] + v[k ^ step];
        v[k ^ step] = v[k] - v[k ^ step];
        v[k] = sum;
      }
  x[0] = v[0];
}
// CHECK-LABEL: ocl.kernel @butterflies
// CHECK-NOT:     ocl.alloca
// CHECK-NOT:     scf
// CHECK:         %[[V0:.*]] = ocl.load
// CHECK:         %[[V1:.*]] = ocl.load
// CHECK:         %[[V2:.*]] = ocl.load
// CHECK:         %[[V3:.*]] = ocl.load
// CHECK:         %[[S0:.*]] = arith.addi %[[V0]], %[[V2]]
// CHECK:         %[[S1:.*]] = arith.addi %[[V1]], %[[V3]]
// CHECK:         %[[SUM:.*]] = arith.addi %[[S0]], %[[S1]]
// CHECK:         ocl.store %[[SUM]], %x

// The number of rounds of the inner loop depends on the outer one's counter.
kernel void network(global int *x) {
  int v[4];
  for (int k = 0; k < 4; k++)
    v[k] = x[k];
  for (int size = 2; size <= 4; size <<= 1)
    for (int step = size / 2; step > 0; step >>= 1)
      for (int k = 0; k < 4; k++)
        v[k] = max(v[k], v[k ^ step]);
  x[0] = v[0];
}
// CHECK-LABEL: ocl.kernel @network
// CHECK-NOT:     ocl.alloca
// CHECK-NOT:     scf

// The start is not known.
kernel void unknown(global int *x, int step) {
  int v[4];
  for (int k = 0; k < 4; k++)
    v[k] = x[k];
  for (; step > 0; step /= 2)
    v[0] += v[step & 3];
  x[0] = v[0];
}
// CHECK-LABEL: ocl.kernel @unknown
// CHECK:         ocl.alloca
// CHECK:         scf.while

// Functions of integers compute indices, too.
kernel void distances(global int *x) {
  int s[3] = {0, 0, 0};
  for (int k = -1; k <= 1; k++)
    s[abs(k) + clamp(k, 0, 1)] += x[k + 1];
  x[0] = s[0] + 2 * s[1] + 3 * s[2];
}
// CHECK-LABEL: ocl.kernel @distances
// CHECK-NOT:     ocl.alloca
// CHECK-NOT:     scf

// A counter that is spelled with more operations makes no difference, in a loop that stays, too.
kernel void mix(global uchar *x, global const uchar *key, int rounds) {
  uchar s[16];
  for (int k = 0; k < 16; k++)
    s[16 - 1 - k] = x[16 * get_global_id(0) + (16 - 1 - k)];
  for (int r = 0; r < rounds; r++)
    for (int k = 0; k < 16; k++)
      s[16 - 1 - k] = (s[16 - 1 - k] << 1 | s[16 - 1 - k] >> 7) ^ key[16 * r + (16 - 1 - k)];
  for (int k = 0; k < 16; k++)
    x[16 * get_global_id(0) + (16 - 1 - k)] = s[16 - 1 - k];
}
// CHECK-LABEL: ocl.kernel @mix
// CHECK-NOT:     ocl.alloca
// CHECK:         scf.for
// CHECK-NOT:     scf.for
// CHECK:         ocl.return
