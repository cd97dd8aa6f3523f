// select and bitselect, scalar (by truth) and vector (by top bit), on integers and floats.
// LAUNCH: global=16 local=8 args: x=rand:i32:16:-9:9 y=rand:i32:16:-9:9 f=rand:f32:16x4:-4:4 out=zeros:i32:16x4 fout=zeros:f32:16x4
kernel void selects(global const int *x, global const int *y, global const float4 *f,
                    global int4 *out, global float4 *fout) {
  size_t g = get_global_id(0);
  int a = x[g], b = y[g];
  float4 c = f[g];
  int4 v = select((int4)(a), (int4)(b), (int4)(a, b, a - b, 1));
  out[g] = (int4)(select(a, b, a > b), bitselect(a, b, 0x0f0f0f0f), select(a, b, -b) + v.x,
                  v.y * 100 + v.z * 10 + v.w);
  float4 d = select(c, c.yzwx, isgreater(c, c.wxyz));
  d.x = select(d.x, 1.0f, (uint)(a & 1));
  d.w = bitselect(d.w, -1.0f, as_float(0x80000000u));
  fout[g] = d;
}
