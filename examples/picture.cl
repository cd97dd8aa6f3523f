// What examples/picture.py runs on a picture: an edge-preserving filter, then ink on the edges.
// LAUNCH: kernel=smooth global=32x16 local=16x16 tolerance=64ulp args: in=rand:u8:13x29x4:0:255 out=zeros:f32:13x29x4 w=29 h=13 range=18.0
// LAUNCH: kernel=ink global=32x16 local=16x16 tolerance=1ulp args: in=rand:f32:13x29x4:0:1 out=zeros:u8:13x29x4 w=29 h=13 strength=1.5

#define GROUP 16
#define RADIUS 5
#define TILE (GROUP + 2 * RADIUS)

// The bilateral filter: a mean of the neighbours in which those of a similar colour count more.
// A group reads its part of the picture and a border into local memory once.
__attribute__((reqd_work_group_size(GROUP, GROUP, 1)))
kernel void smooth(global const uchar4 *in, global float4 *out, int w, int h, float range) {
  local float4 tile[TILE][TILE];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_global_id(0), y = get_global_id(1);
  int left = get_group_id(0) * GROUP - RADIUS, top = get_group_id(1) * GROUP - RADIUS;
  for (int ty = ly; ty < TILE; ty += GROUP)
    for (int tx = lx; tx < TILE; tx += GROUP) {
      int from = clamp(top + ty, 0, h - 1) * w + clamp(left + tx, 0, w - 1);
      tile[ty][tx] = convert_float4(in[from]) / 255.0f;
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x >= w || y >= h)
    return;
  float4 me = tile[ly + RADIUS][lx + RADIUS], sum = (float4)(0.0f);
  float weights = 0.0f;
  for (int dy = -RADIUS; dy <= RADIUS; ++dy)
    for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
      float4 other = tile[ly + RADIUS + dy][lx + RADIUS + dx];
      float3 d = other.xyz - me.xyz;
      float far = (float)(dx * dx + dy * dy) / (RADIUS * RADIUS);
      float weight = exp(-far - range * dot(d, d));
      sum += other * weight;
      weights += weight;
    }
  out[y * w + x] = sum / weights;
}

float brightness(float4 c) { return 0.299f * c.x + 0.587f * c.y + 0.114f * c.z; }

// Darkens where the brightness changes fast (Sobel's operator).
__attribute__((reqd_work_group_size(GROUP, GROUP, 1)))
kernel void ink(global const float4 *in, global uchar4 *out, int w, int h, float strength) {
  local float tile[GROUP + 2][GROUP + 2];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_global_id(0), y = get_global_id(1);
  int left = get_group_id(0) * GROUP - 1, top = get_group_id(1) * GROUP - 1;
  for (int ty = ly; ty < GROUP + 2; ty += GROUP)
    for (int tx = lx; tx < GROUP + 2; tx += GROUP)
      tile[ty][tx] = brightness(in[clamp(top + ty, 0, h - 1) * w + clamp(left + tx, 0, w - 1)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x >= w || y >= h)
    return;
  float gx = 0.0f, gy = 0.0f;
  for (int i = 0; i < 3; ++i) {
    float weight = i == 1 ? 2.0f : 1.0f;
    gx += weight * (tile[ly + i][lx + 2] - tile[ly + i][lx]);
    gy += weight * (tile[ly + 2][lx + i] - tile[ly][lx + i]);
  }
  float edge = clamp(sqrt(gx * gx + gy * gy) * strength, 0.0f, 0.8f);
  float4 colour = in[y * w + x] * (1.0f - edge);
  colour.w = 1.0f;
  out[y * w + x] = convert_uchar4_sat_rte(colour * 255.0f);
}
