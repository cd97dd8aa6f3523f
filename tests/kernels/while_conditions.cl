// A loop whose condition computes more for the body than the loop carries.
// LAUNCH: kernel=leaps global=32 local=8 args: in=rand:i32:32:0:50 out=zeros:i32:32
kernel void leaps(global const int *in, global int *out) {
  int g = get_global_id(0), x = in[g], r = 0;
  for (int i = 0; i < 9; i++) {
    if ((x + i) & 4) { i += 2; r += i; }
    if (r > 30) goto end;
    r ^= x;
  }
end:
  out[g] = r;
}
