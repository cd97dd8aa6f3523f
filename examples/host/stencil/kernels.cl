// One Jacobi step of a 7-point stencil in three dimensions; the border stays as it is.
kernel void relax(float c0, float c1, global const float *in, global float *out,
                 int nx, int ny, int nz)
{
    int i = get_global_id(0) + 1, j = get_global_id(1) + 1, k = get_global_id(2) + 1;
    if (i >= nx - 1 || j >= ny - 1 || k >= nz - 1)
        return;
    int at = i + nx * (j + ny * k);
    out[at] = c1 * (in[at - nx * ny] + in[at + nx * ny] + in[at - nx] + in[at + nx] +
                    in[at - 1] + in[at + 1]) - c0 * in[at];
}
