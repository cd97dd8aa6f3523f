// switch: fall through, default in the middle, no default, nested, with return, on an expression
// of char and long type, inside a loop with continue.
// LAUNCH: global=32 local=8 args: x=rand:i32:32:-3:12 y=zeros:i32:32
int inner(long v) {
  switch (v) {
  case -3L:
    return 30;
  case 0x100000000L:
    return 31;
  default:
    return (int)v;
  }
}

kernel void cases(global const int *x, global int *y) {
  int v = x[get_global_id(0)], r = 0;
  switch (v) {
  case 0:
  case 1:
    r = 10;
    break;
  case 2:
    r += 1;
  case 3:
    r += 2;
  default:
    r += 100;
  case 4:
    r += 1000;
    switch ((char)(r & 3)) {
    case 1:
      r = -r;
      break;
    case 3:
      r *= 2;
    }
    break;
  case 7: {
    int t = v * v;
    r = t;
  }
  }
  for (int i = 0; i < 4; ++i) {
    switch ((v + i) & 3) {
    case 0:
      continue;
    case 1:
      r++;
      break;
    case 2:
      r += 10;
    }
    r *= 3;
  }
  y[get_global_id(0)] = r + inner(v);
}
