//: global 384 256
//: local 16 16
//: arg r.random(384 * 256, np.float32)
//: arg r.random(384 * 256, np.float32)
//: arg r.random(384 * 256, np.float32)
//: arg np.linspace(0, 1, 16).astype(np.float32)
//: arg np.uint32(384)
//: arg np.uint32(256)
//: arg np.uint32(16)
// A step of the magnetic field with a damping table at the borders, sizes in uint.
kernel void update_h(global const float *ez, global float *hx, global float *hy, global const float *sigma,
                     uint nx, uint ny, uint pml) {
  uint i = get_global_id(0), j = get_global_id(1);
  if (i >= nx - 1 || j >= ny - 1) return;
  uint id = j * nx + i;
  float dx = 0.0f, dy = 0.0f;
  if (i < pml) dx = sigma[pml - 1 - i];
  else if (i >= nx - pml) dx = sigma[i - (nx - pml)];
  if (j < pml) dy = sigma[pml - 1 - j];
  else if (j >= ny - pml) dy = sigma[j - (ny - pml)];
  hx[id] = hx[id] * (1.0f - 0.5f * dy) - 0.5f * (ez[id + nx] - ez[id]);
  hy[id] = hy[id] * (1.0f - 0.5f * dx) + 0.5f * (ez[id + 1] - ez[id]);
}
