// Implicit conversions and casts of C: integer promotion, usual conversions, narrowing, floats to
// integers and back, bool.
// LAUNCH: global=16 local=4 args: a=rand:i8:16:-128:127 b=rand:u8:16:0:255 c=rand:i16:16:-32768:32767 d=rand:u16:16:0:65535 out=zeros:i32:16x12
kernel void plain(global const char *a, global const uchar *b, global const short *c,
                  global const ushort *d, global int *out) {
  size_t g = get_global_id(0);
  global int *r = out + g * 12;
  char x = a[g];
  uchar y = b[g];
  short z = c[g];
  ushort w = d[g];
  r[0] = x + y;
  r[1] = x * z - w;
  r[2] = (char)(x + y);
  r[3] = (uchar)~y;
  r[4] = x < y;
  r[5] = (uint)x < (uint)y;
  r[6] = (bool)w + (bool)(w & 0) + !x;
  r[7] = (int)((float)z / 3.0f);
  r[8] = (short)(w * 2);
  r[9] = (int)(x + 1u) >> 1;
  r[10] = (int)((long)x * w - (ulong)y);
  x += 100;
  y -= 200;
  r[11] = x * 1000 + y;
}
