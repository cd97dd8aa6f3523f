// Loops that wg-read-ahead leaves: where a row begins is not known to be a multiple of 16 bytes, the
// loop goes on where it has not read an element, it changes what it reads, or it reads all over memory.

// LAUNCH: kernel=between global=8 local=8 args: text=rand:u8:160:0:5 out=zeros:u32:8
kernel void between(global uchar *text, global uint *out) {
  int i = get_global_id(0), n = 0;
  while (n < 15 && text[17 * i + n]) n++;
  out[i] = n;
}

// LAUNCH: kernel=some global=8 local=8 args: text=rand:u8:160:0:5 out=zeros:u32:8
kernel void some(global uchar *text, global uint *out) {
  int i = get_global_id(0), h = 0;
  for (int k = 0; k < 16; k++) {
    if (k % 3 == i % 3 && text[16 * i + k] == 0) break;
    h += k;
  }
  out[i] = h;
}

// LAUNCH: kernel=changed global=8 local=8 args: text=rand:u8:160:0:5 out=zeros:u32:8
kernel void changed(global uchar *text, global uint *out) {
  int i = get_global_id(0), n;
  for (n = 0; n < 15 && text[16 * i + n]; n++) text[16 * i + n + 1] ^= 1;
  out[i] = n;
}

// LAUNCH: kernel=table global=8 local=8 args: text=rand:u8:160:0:5 out=zeros:u32:8
kernel void table(global uchar *text, global uint *out) {
  int i = get_global_id(0), h = 0;
  for (int k = 0; k < 16 && text[16 * i + k]; k++) h = h * 3 + text[128 + (h & 31)];
  out[i] = h;
}
