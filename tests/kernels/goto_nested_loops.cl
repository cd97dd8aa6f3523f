// goto out of nested loops, on to the next turn of an outer one, and back to the start of one.
// LAUNCH: kernel=find global=32 local=8 args: out=zeros:i32:32 x=rand:u8:64
// LAUNCH: kernel=retry global=16 args: out=zeros:i32:16
kernel void find(global int *out, global const uchar *x) {
  int i = get_global_id(0), row, column = -1;
  for (row = 0; row < 8; row++) {
    for (column = 0; column < 8; column++) {
      uchar v = x[row * 8 + column];
      if (v % 32 == i) goto found;
      if (v % 16 == 7) goto next_row;
      if (v == 255) continue;
    }
    column = 100;
next_row:;
  }
  out[i] = -1 - column;
  return;
found:
  out[i] = row * 8 + column;
}

kernel void retry(global int *out) {
  int i = get_global_id(0), tries = 0, sum = 0;
start:
  tries++;
  for (int k = 0; k < 6; k++) {
    int j = k;
    while (1) {
      sum += j;
      if (sum % 7 == i % 7 && tries < 4) goto start;
      if (++j > 5) break;
    }
  }
  out[i] = sum * 10 + tries;
}
