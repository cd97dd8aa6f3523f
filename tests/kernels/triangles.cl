// Columns below the diagonal: each work-item begins at its own row, and a group runs as many
// iterations as its first one. No group is without a work-item that leaves some out.

// LAUNCH: global=48 local=16 kernel=below args: a=rand:i32:2304:-99:99 out=zeros:i32:48 n=48
// LAUNCH: global=48 local=16 kernel=below args: a=rand:i32:2304:-99:99 out=zeros:i32:48 n=41
// LAUNCH: global=16 local=16 kernel=below args: a=rand:i32:256:-99:99 out=zeros:i32:48 n=1
// LAUNCH: global=16 local=16 kernel=below args: a=rand:i32:256:-99:99 out=zeros:i32:48 n=-7
kernel void below(global const int *a, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int k = i; k < n; k++) sum += a[k * n + i] * (k - i + 1);
  out[i] = sum;
}

// LAUNCH: global=48 local=16 kernel=at_least_one args: a=rand:i32:2304:-99:99 out=zeros:i32:48 n=48
// LAUNCH: global=40 local=8 kernel=at_least_one args: a=rand:i32:2304:-99:99 out=zeros:i32:48 n=45
kernel void at_least_one(global const int *a, global int *out, int n) {
  int i = get_global_id(0), k = i, sum = 0;
  do {
    sum = 3 * sum + a[k * n + i];
    k++;
  } while (k < n);
  out[i] = sum;
}

// LAUNCH: global=48 local=16 kernel=every_third args: a=rand:i32:2304:-99:99 out=zeros:i32:48 n=48
// LAUNCH: global=48 local=16 kernel=every_third args: a=rand:i32:2304:-99:99 out=zeros:i32:48 n=33
kernel void every_third(global const int *a, global int *out, uint n) {
  uint i = get_global_id(0);
  int sum = 0;
  for (uint k = i + 2; k < n; k += 3) sum ^= a[k * n + i] + (int)k;
  out[i] = sum;
}

// LAUNCH: global=48 local=16 kernel=last_item_only args: a=rand:i32:2304:-99:99 out=zeros:i32:48 n=48
kernel void last_item_only(global const int *a, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < 16; k++)
    if (get_local_id(0) + k >= 30) sum += a[k * n + i];
  out[i] = sum;
}

// LAUNCH: global=48 local=16 kernel=written args: a=rand:i32:2304:-99:99 out=zeros:i32:2304 n=40
kernel void written(global const int *a, global int *out, int n) {
  int i = get_global_id(0);
  for (int k = i; k < n; k++) out[k * n + i] = a[i * n + k] - k;
}
