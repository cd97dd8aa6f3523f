// shuffle and shuffle2 with masks known at run time only, and with other sizes of the result.
// LAUNCH: global=8 local=4 args: x=rand:i32:8x4 y=rand:i32:8x4 mask=rand:u32:8x4:0:4294967295 out=zeros:i32:8x8
kernel void shuffles(global const int4 *x, global const int4 *y, global const uint4 *mask,
                     global int8 *out) {
  size_t g = get_global_id(0);
  int4 a = shuffle(x[g], mask[g]);
  int2 b = shuffle(y[g], mask[g].zy);
  int8 c = shuffle2(x[g], y[g], (uint8)(mask[g], mask[g].wzyx >> 3));
  c.hi += (int4)(b, b);
  out[g] = c + (int8)(a, a);
}
