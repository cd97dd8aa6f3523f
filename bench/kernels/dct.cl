// ID is uint or size_t. The two-dimensional transform of each block of bw x bw: rows, then columns, of one work-group.
__kernel void dct(__global float *out, __global const float *in, __global const float *c,
                  __local float *tmp, uint width, uint bw, uint inverse) {
  ID gx = get_group_id(0), gy = get_group_id(1), i = get_local_id(0), j = get_local_id(1);
  ID base = gy * bw * width + gx * bw;
  float acc = 0.0f;
  for (ID k = 0; k < bw; k++) {
    ID at = inverse ? i * bw + k : k * bw + i;
    acc += c[at] * in[base + j * width + k];
  }
  tmp[j * bw + i] = acc;
  barrier(CLK_LOCAL_MEM_FENCE);
  acc = 0.0f;
  for (ID k = 0; k < bw; k++) {
    ID at = inverse ? j * bw + k : k * bw + j;
    acc += tmp[k * bw + i] * c[at];
  }
  out[base + j * width + i] = acc;
}
