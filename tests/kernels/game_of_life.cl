// A two-dimensional automaton on a torus, one byte for each cell, one generation.
// LAUNCH: global=16x8 local=8x2 args: cells=rand:u8:8x16:0:1 next=zeros:u8:8x16
// LAUNCH: global=5x7 local=1x7 args: cells=rand:u8:7x5:0:1 next=zeros:u8:7x5
kernel void life(global const uchar *cells, global uchar *next) {
  int w = get_global_size(0), h = get_global_size(1);
  int x = get_global_id(0), y = get_global_id(1), alive = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy)
        alive += cells[(y + dy + h) % h * w + (x + dx + w) % w];
  next[y * w + x] = alive == 3 || (alive == 2 && cells[y * w + x]);
}
