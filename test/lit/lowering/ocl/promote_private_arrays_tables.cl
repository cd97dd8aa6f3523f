// RUN: ocl-opt %s -p promote-private-arrays --remarks 2>&1 >/dev/null | filecheck %s

// The numbers of a table are known where its loops are unrolled, however many operations that adds.
// CHECK: promote_private_arrays_tables.cl:[[# @LINE + 2]]:13: remark: 'weights' is in registers [promote-private-arrays]
kernel void sharpen(global const uchar *in, global uchar *out, int w) {
  const int weights[25] = {0, 0, -1, 0, 0, 0, -1, -2, -1, 0, -1, -2, 24,
                           -2, -1, 0, -1, -2, -1, 0, 0, 0, -1, 0, 0};
  int x = get_global_id(0) + 2, y = get_global_id(1) + 2, sum = 0;
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < 5; i++)
      sum += weights[j * 5 + i] * in[(y + j - 2) * w + x + i - 2];
  out[y * w + x] = convert_uchar_sat(sum >> 3);
}

// One of them is computed, and a loop stays: LLVM unrolls the others, if it likes.
// CHECK-NOT: remark: 'weights' is in registers
kernel void sharpen_more(global const uchar *in, global uchar *out, int w, int h, int middle) {
  int weights[25] = {0, 0, -1, 0, 0, 0, -1, -2, -1, 0, -1, -2, 24,
                     -2, -1, 0, -1, -2, -1, 0, 0, 0, -1, 0, 0};
  weights[12] = middle;
  int x = get_global_id(0) + 2;
  for (int y = 2; y < h - 2; y++) {
    int sum = 0;
    for (int j = 0; j < 5; j++)
      for (int i = 0; i < 5; i++)
        sum += weights[j * 5 + i] * in[(y + j - 2) * w + x + i - 2];
    out[y * w + x] = convert_uchar_sat(sum >> 3);
  }
}
