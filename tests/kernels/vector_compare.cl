// Comparisons and logical operators on vectors give 0 and -1; ?: chooses by the top bit.
// LAUNCH: global=16 local=4 args: x=rand:i32:16x4:-5:5 y=rand:i32:16x4:-5:5 f=rand:f32:16x4:-1:1 out=zeros:i32:16x8 fout=zeros:f32:16x4
kernel void compare(global const int4 *x, global const int4 *y, global const float4 *f,
                    global int8 *out, global float4 *fout) {
  size_t g = get_global_id(0);
  int4 a = x[g], b = y[g];
  float4 c = f[g];
  int4 less = a < b, same = a == b, positive = c > 0.0f;
  int4 both = less && positive, none = !(less || same);
  int4 chosen = less ? a : b;
  uint4 wide = convert_uint4(a) <= convert_uint4(b) ? (uint4)(1) : (uint4)(2);
  out[g] = (int8)(both + none * 2, chosen + convert_int4(wide) * 100);
  fout[g] = (a != b) ? c : -c;
}
