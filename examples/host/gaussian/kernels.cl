// Gaussian elimination without pivoting, one column at a time; `m` has the multipliers.
kernel void multipliers(global float *m, global const float *a, int size, int column)
{
    int i = get_global_id(0);
    if (i < size - 1 - column) {
        int row = i + column + 1;
        m[size * row + column] = a[size * row + column] / a[size * column + column];
    }
}

kernel void eliminate(global const float *m, global float *a, global float *b, int size,
                      int column)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (i >= size - 1 - column || j >= size - column)
        return;
    int row = i + column + 1;
    a[size * row + j + column] -= m[size * row + column] * a[size * column + j + column];
    if (j == 0)
        b[row] -= m[size * row + column] * b[column];
}
