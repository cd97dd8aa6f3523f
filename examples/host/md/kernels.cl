// Forces on atoms from their neighbours, after Figure 2 of the PPOpenCL paper. Neighbour j of
// all atoms is one row of memory, which suits a GPU: work-items next to each other read next to
// each other.
kernel void ker(global float *f, global const float *p, global const int *n, int N, int A)
{
    int tid = get_global_id(0);
    float own = p[tid], force = 0.0f;
    for (int j = 0; j < N; j++) {
        int idx = n[tid + j * A];
        float pos = p[idx], d = pos - own;
        force += d / (d * d + 1.0f);
    }
    f[tid] = force;
}
