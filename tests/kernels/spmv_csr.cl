// Sparse matrix times vector, one row for each work-item: divergent loop bounds from memory.
// LAUNCH: global=8 local=4 args: start=values:i32:0,2,2,7,8,12,13,16,20 col=rand:i32:20:0:7 val=rand:f32:20:-2:2 x=rand:f32:8 y=zeros:f32:8
kernel void spmv(global const int *start, global const int *col, global const float *val,
                 global const float *x, global float *y) {
  int row = get_global_id(0);
  float sum = 0.0f;
  for (int i = start[row]; i < start[row + 1]; ++i)
    sum += val[i] * x[col[i]];
  y[row] = sum;
}
