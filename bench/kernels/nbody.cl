__kernel void nbody(__global float4 *new_pos, __global float4 *new_vel,
                    __global const float4 *pos, __global const float4 *vel, int n, float dt,
                    float eps) {
  ID g = get_global_id(0);
  float4 me = pos[g];
  float4 acc = (float4)(0.0f);
  for (ID i = 0; i < n; i++) {
    float4 other = pos[i];
    float4 r;
    r.xyz = other.xyz - me.xyz;
    r.w = 0.0f;
    float d = r.x * r.x + r.y * r.y + r.z * r.z;
    float inv = rsqrt(d + eps);
    float s = other.w * inv * inv * inv;
    acc.xyz += s * r.xyz;
  }
  float4 v = vel[g];
  float4 p, w;
  p.xyz = me.xyz + v.xyz * dt + acc.xyz * 0.5f * dt * dt;
  p.w = me.w;
  w.xyz = v.xyz + acc.xyz * dt;
  w.w = v.w;
  new_pos[g] = p;
  new_vel[g] = w;
}
