// goto forward: out of nested ifs, over statements, to a label at the end.
// LAUNCH: kernel=forward global=64 local=16 args: out=zeros:i32:64 x=rand:i32:64
// LAUNCH: kernel=sign global=16 args: out=zeros:i32:16 x=iota:i32:16
kernel void forward(global int *out, global const int *x) {
  int i = get_global_id(0), r = 1;
  if (x[i] & 1) {
    if (x[i] & 2) {
      r = 5;
      goto store;
    }
    r += 2;
    if (x[i] & 4)
      goto twice;
  } else if (x[i] & 8)
    goto end;
  r += 10;
twice:
  r *= 2;
store:
  out[i] = r;
end:;
}

int sign_of(int v) {
  int r;
  if (v > 8) goto positive;
  if (v < 8) goto negative;
  return 0;
positive:
  r = 1;
  goto out;
negative:
  r = -1;
out:
  return r;
}

kernel void sign(global int *out, global const int *x) {
  int i = get_global_id(0);
  out[i] = sign_of(x[i]) + 10 * sign_of(x[i] / 2 + 4);
}
