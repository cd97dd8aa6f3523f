// The two-dimensional transform of each block of bw x bw by one work-group: rows, then columns.
__kernel void dct(__global float *out, __global const float *in, __global const float *c,
                  __local float *rows, int width, int bw, int inverse) {
  ID i = get_local_id(0), j = get_local_id(1);
  ID base = get_group_id(1) * bw * width + get_group_id(0) * bw;
  float sum = 0.0f;
  for (ID k = 0; k < bw; k++) {
    ID at = inverse ? i * bw + k : k * bw + i;
    sum += c[at] * in[base + j * width + k];
  }
  rows[j * bw + i] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0.0f;
  for (ID k = 0; k < bw; k++) {
    ID at = inverse ? j * bw + k : k * bw + j;
    sum += rows[k * bw + i] * c[at];
  }
  out[base + j * width + i] = sum;
}
