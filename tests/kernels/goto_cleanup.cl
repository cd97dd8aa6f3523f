// A label that all errors lead to, as C programs clean up; with arrays, structs and vectors.
// LAUNCH: kernel=cleanup global=48 local=16 args: out=zeros:f32:48 status=zeros:i32:48 x=rand:f32:192
typedef struct {
  int code;
  float weight;
} state_t;

kernel void cleanup(global float *out, global int *status, global const float4 *x) {
  int i = get_global_id(0);
  state_t state = {0, 1.0f};
  float4 v = x[i];
  float parts[4] = {v.x, v.y, v.z, v.w};
  float sum = 0.0f;
  for (int k = 0; k < 4; k++) {
    if (parts[k] < 0.1f) {
      state.code = k + 1;
      goto cleanup;
    }
    sum += parts[k];
    v.s0 += sum;
  }
  state.weight = 2.0f;
  if (sum > 2.0f) {
    state.code = -1;
    goto cleanup;
  }
  v.yz *= 3.0f;
  sum += v.x + v.y + v.z;
cleanup:
  parts[0] = 0.0f;
  out[i] = sum * state.weight + v.x + parts[0];
  status[i] = state.code;
}
