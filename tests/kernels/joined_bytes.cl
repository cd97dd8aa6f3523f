// Numbers that work-items put together from bytes: join-bytes reads them at once.
// LAUNCH: kernel=orders global=20 local=10 args: p=rand:u8:260 out=zeros:u64:120
// LAUNCH: kernel=loops global=20 local=10 args: p=rand:u8:180 out=zeros:u64:60
// LAUNCH: kernel=moved global=20 local=10 args: p=rand:u8:180 s=rand:i8:180 out=zeros:u64:120
// LAUNCH: kernel=written global=20 local=10 args: p=rand:u8:160 out=zeros:u32:60
// LAUNCH: kernel=others global=20 local=10 args: p=rand:u8:160 s=rand:i8:160 out=zeros:u32:120
kernel void orders(global const uchar *p, global ulong *out) {
  size_t i = get_global_id(0);
  p += 13 * i;
  out += 6 * i;
  out[0] = p[0] | p[1] << 8 | p[2] << 16 | (uint)p[3] << 24;
  out[1] = ((uint)p[4] << 24) + (p[5] << 16) + (p[6] << 8) + p[7];
  out[2] = (ushort)(p[9] << 8 ^ p[8]);
  out[3] = (ulong)p[2] << 8 | p[3];
  out[4] = (ulong)p[0] | (ulong)p[1] << 8 | (ulong)p[2] << 16 | (ulong)p[3] << 24 |
           (ulong)p[4] << 32 | (ulong)p[5] << 40 | (ulong)p[6] << 48 | (ulong)p[7] << 56;
  out[5] = (((((uint)p[10] << 8) | p[11]) << 8 | p[12]) << 8 | p[9]) + 5;
}

kernel void loops(global const uchar *p, global ulong *out) {
  int i = get_global_id(0);
  ulong a = 0, b = 0;
  uint c = 0;
  for (int k = 7; k >= 0; k--) a = a << 8 | p[9 * i + k];
  for (int k = 0; k < 8; k++) b = (b << 8) + p[9 * i + k + 1];
  for (int k = 0; k < 2; k++) c = c << 8 ^ p[9 * i + k];
  out[3 * i] = a;
  out[3 * i + 1] = b;
  out[3 * i + 2] = c;
}

// Loops that move each byte to its place; of the last three, some bytes have no place of their own.
kernel void moved(global const uchar *p, global const char *s, global ulong *out) {
  int i = get_global_id(0);
  p += 9 * i;
  s += 9 * i;
  ulong a = 0, f = 0;
  uint b = 0, c = 0, d = 0, e = 0;
  for (int k = 0; k < 8; k++) a |= (ulong)p[k + 1] << (8 * k);
  for (int k = 0; k < 4; k++) b += p[k] << ((3 - k) << 3);
  c = p[5] * 256 + p[6];
  for (int k = 0; k < 8; k++) d |= (uint)p[k] << (8 * k & 31);
  for (int k = 0; k < 4; k++) e ^= (uint)p[k] << (4 * k);
  for (int k = 0; k < 4; k++) f |= (ulong)s[k] << (8 * k);
  out += 6 * i;
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
  out[4] = e;
  out[5] = f;
}

// Bytes are written between the reads.
kernel void written(global uchar *p, global uint *out) {
  int i = get_global_id(0);
  p += 8 * i;
  uint a = p[0];
  p[1] = 7;
  a |= p[1] << 8;
  out[3 * i] = a;
  p[2] = a;
  out[3 * i + 1] = p[2] | p[3] << 8;
  p[3] = 9;
  out[3 * i + 2] = p[2] << 8 | p[3];
}

// Something else than the bytes of a number.
kernel void others(global const uchar *p, global const char *s, global uint *out) {
  int i = get_global_id(0);
  p += 8 * i;
  s += 8 * i;
  out += 6 * i;
  out[0] = p[0] | p[1] << 7;
  out[1] = p[0] | p[2] << 8;
  out[2] = s[0] | s[1] << 8;
  out[3] = p[3] | p[4] << 8 | p[5] << 16;
  out[4] = (p[1] << 8 | p[2]) << 20;
  uint x = p[6];
  out[5] = (x | p[7] << 8) * (x + 1);
}
