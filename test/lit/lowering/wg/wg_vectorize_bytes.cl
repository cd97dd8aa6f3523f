// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize" --remarks 2>&1 >/dev/null | filecheck %s

// The loop carries bytes and accesses what is the same for all lanes: a register has 64 of them.
// CHECK: vectorised along x for 64 work-items [wg-vectorize]
kernel void mixed(global const uchar *in, global const uchar *key, global uchar *out) {
  int i = get_global_id(0);
  uchar a = in[2 * i], b = in[2 * i + 1];
  for (int k = 0; k < 32; k++) {
    uchar c = a ^ (uchar)(b << 3 | b >> 5) + key[k];
    a = b;
    b = c;
  }
  out[2 * i] = a;
  out[2 * i + 1] = b;
}

// It carries a word, too.
// CHECK: vectorised along x for 16 work-items [wg-vectorize]
kernel void summed(global const uchar *in, global const uchar *key, global uint *out) {
  int i = get_global_id(0);
  uchar a = in[i];
  uint s = 0;
  for (int k = 0; k < 32; k++) {
    a ^= (uchar)(a << 3) + key[k];
    s = s * 31 + a;
  }
  out[i] = s;
}
