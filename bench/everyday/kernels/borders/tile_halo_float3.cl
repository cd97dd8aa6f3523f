//: global 256 256
//: local 16 16
//: arg r.random(256 * 256 * 4, np.float32)
//: arg np.zeros(256 * 256 * 3, np.float32)
//: arg np.int32(256)
//: arg np.int32(256)
// A mean of 5 x 5 normals through local memory, mirrored at the border.
#define T 16
#define R 2
int mirror(int i, int n) { return i < 0 ? -i - 1 : i >= n ? 2 * n - i - 1 : i; }
kernel void smooth(global const float3 *normals, global float *result, int w, int h) {
  local float3 tile[T + 2 * R][T + 2 * R];
  int bx = get_group_id(0) * T - R, by = get_group_id(1) * T - R;
  for (int j = get_local_id(1); j < T + 2 * R; j += T)
    for (int i = get_local_id(0); i < T + 2 * R; i += T)
      tile[j][i] = normals[mirror(by + j, h) * w + mirror(bx + i, w)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float3 s = (float3)(0.0f);
  for (int j = 0; j <= 2 * R; j++)
    for (int i = 0; i <= 2 * R; i++)
      s += tile[get_local_id(1) + j][get_local_id(0) + i];
  vstore3(normalize(s), get_global_id(1) * w + get_global_id(0), result);
}
