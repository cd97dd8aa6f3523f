// Loops that end by what they read of a row of each work-item's own: wg-read-ahead reads 16 bytes at
// once where the row begins at a multiple of them.

// LAUNCH: kernel=hash global=21 local=21 args: text=rand:u8:336:0:5 out=zeros:u32:21
kernel void hash(global const uchar *text, global uint *out) {
  int i = get_global_id(0), left = 16;
  global const uchar *s = text + 16 * i;
  uint h = 5381;
  uchar c;
  while (left-- && (c = *s++)) h = h * 33 + c;
  out[i] = h;
}

// LAUNCH: kernel=length global=16 local=16 args: text=rand:i8:640:0:20 out=zeros:i32:16 row=2
// LAUNCH: kernel=length global=16 local=16 args: text=rand:i8:640:1:20 out=zeros:i32:16 row=1
kernel void length(global const char *text, global int *out, int row) {
  int i = get_global_id(0), n;
  for (n = 0; n < 32; n++)
    if (text[i * 32 + n] == 0) break;
  out[i] = n * row;
}

// LAUNCH: kernel=compared global=16 local=8 args: a=rand:u8:256:0:2 b=rand:u8:256:0:1 out=zeros:i32:16
kernel void compared(global const uchar *a, global const uchar *b, global int *out) {
  uint i = get_global_id(0), k = 0;
  while (k < 16 && a[16 * i + k] && a[16 * i + k] == b[16 * i + k]) k++;
  out[i] = k == 16 ? 0 : a[16 * i + k] - b[16 * i + k];
}

// LAUNCH: kernel=number global=16 local=16 args: a=rand:u8:256:46:59 out=zeros:u32:16
kernel void number(global const uchar *a, global uint *out) {
  int i = get_global_id(0);
  uint n = 0;
  global const uchar *p = a + i * 16, *end = p + 16;
  while (p < end && *p >= '0' && *p <= '9') n = n * 10 + (*p++ - '0');
  out[i] = n;
}

// LAUNCH: kernel=words global=16 local=16 args: a=rand:u8:512:26:50 b=zeros:u8:512 out=zeros:u32:16
kernel void words(global const uchar *a, global uchar *b, global uint *out) {
  size_t i = get_global_id(0);
  uint h = 0;
  for (int k = 0;; k++) {
    if (k >= 32) break;
    uchar c = a[(i << 5) + k];
    if (c == 27) break;
    if (c == 32) continue;
    b[(i << 5) + k] = c;
    h = h * 31 + c;
  }
  out[i] = h;
}

// LAUNCH: kernel=sum global=16 local=16 args: a=rand:i32:320:-1:9 out=zeros:i32:16 kept=rand:i32:16
kernel void sum(global const int *a, global int *out, global const int *kept) {
  long i = get_global_id(0);
  int s = 0;
  for (long k = 0; k < 20; k++) {
    int v = a[i * 20 + k];
    if (v < 0) break;
    s += v * v;
    if (s > 400) break;
  }
  out[i] = s + kept[i];
}

// The loop counts after it has decided to end.
// LAUNCH: kernel=counts_on global=16 local=16 args: a=rand:u8:256:0:9 out=zeros:i32:16 m=15
kernel void counts_on(global const uchar *a, global int *out, int m) {
  int i = get_global_id(0), q = 0, n = 0;
  bool go = true;
  while (go && n < m) {
    if (a[16 * i + n] == 0) {
      go = false;
    } else {
      if (q == 5) go = false;
      q++;
    }
    n++;
  }
  out[i] = q;
}
