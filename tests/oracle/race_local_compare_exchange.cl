// One work-item reads what others exchange; an exchange that finds another value only reads, too.
// EXPECT: race 14:11 12:5
// LAUNCH: kernel=bug global=4 local=4 args: x=rand:i32:4:1:9 y=zeros:i32:4
// LAUNCH: kernel=clean global=4 local=4 args: x=rand:i32:4:1:9 y=zeros:i32:4
kernel void bug(global const int *x, global int *y) {
  local int winner;
  int i = get_local_id(0);
  if (i == 0)
    winner = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x[i] > 0)
    atomic_cmpxchg(&winner, 0, i + 1);
  int mine = 1;
  mine += winner;
  y[i] = mine;
}

kernel void clean(global const int *x, global int *y) {
  local int winner;
  int i = get_local_id(0);
  if (i == 0)
    winner = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  int old = x[i] > 0 ? atomic_cmpxchg(&winner, 0, i + 1) : 0;
  y[i] = old + winner;
}
