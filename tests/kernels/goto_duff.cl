// Duff's device: case labels inside a loop of the switch; and one inside an if.
// LAUNCH: kernel=duff global=10 args: out=zeros:i32:200 from=rand:i32:200
// LAUNCH: kernel=into_if global=16 local=4 args: out=zeros:i32:16
kernel void duff(global int *out, global const int *from) {
  int id = get_global_id(0), at = id * 20, count = id + 9;
  int n = (count + 3) / 4;
  switch (count % 4) {
  case 0:
    do {
      out[at] = from[at];
      at++;
  case 3:
      out[at] = from[at] + 1;
      at++;
  case 2:
      out[at] = from[at] + 2;
      at++;
  case 1:
      out[at] = from[at] + 3;
      at++;
    } while (--n > 0);
  }
}

kernel void into_if(global int *out) {
  int i = get_global_id(0), r = i;
  switch (i % 5) {
  case 0:
    r += 100;
    if (i > 5) {
      r *= 2;
  case 1:
      r += 3;
      break;
    } else {
  default:
      r -= 1;
    }
    r += 1000;
  case 3 ... 4:
    r ^= 1;
  }
  out[i] = r;
}
