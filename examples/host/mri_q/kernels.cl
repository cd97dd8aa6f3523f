// The matrix Q of a magnetic resonance image whose samples do not lie on a grid.
#define TWO_PI 6.2831853071795864769252867665590058f

kernel void magnitude(global const float *re, global const float *im, global float *mag, int n)
{
    int k = get_global_id(0);
    if (k < n)
        mag[k] = re[k] * re[k] + im[k] * im[k];
}

// Adds what `samples` sample points, four numbers each (x, y, z, magnitude), give to each voxel.
kernel void accumulate(int samples, global const float *points, global const float *x,
                       global const float *y, global const float *z, global float *q_re,
                       global float *q_im, int voxels)
{
    int v = get_global_id(0);
    if (v >= voxels)
        return;
    float sum_re = q_re[v], sum_im = q_im[v];
    float vx = x[v], vy = y[v], vz = z[v];
    for (int k = 0; k < samples; k++) {
        float angle = TWO_PI * (points[4 * k] * vx + points[4 * k + 1] * vy +
                                points[4 * k + 2] * vz);
        sum_re += points[4 * k + 3] * cos(angle);
        sum_im += points[4 * k + 3] * sin(angle);
    }
    q_re[v] = sum_re;
    q_im[v] = sum_im;
}
