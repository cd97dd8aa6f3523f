// A row of a sparse matrix in jagged diagonals times a vector: the rows are sorted by how many
// entries they have, and the k-th entries of all rows lie next to each other from start[k] on.
kernel void multiply(global float *y, global const float *values, global const int *columns,
                     global const int *order, global const int *lengths,
                     global const int *start, global const float *x, int rows)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0.0f;
    int length = lengths[row];
    for (int k = 0; k < length; k++) {
        int at = start[k] + row;
        sum += values[at] * x[columns[at]];
    }
    y[order[row]] = sum;
}
