// Coulomb potential of charged atoms on a lattice, atoms beyond a cutoff left out.
#define DEPTH 8

// Atoms lie in cubic bins, DEPTH of four numbers each (x, y, z, charge; no charge where a bin is
// not full). `offsets` has `neighbours` distances, in bins, to those bins that may be near enough.
kernel void potential(global float *lattice, global const float *bins,
                      global const int *offsets, int neighbours, int nx, int ny, int nz,
                      int bins_x, int bins_y, int margin, float spacing, float bin_length,
                      float cutoff2)
{
    int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
    if (i >= nx || j >= ny || k >= nz)
        return;
    float x = i * spacing, y = j * spacing, z = k * spacing;
    int bin = (int)(x / bin_length) + margin +
              bins_x * ((int)(y / bin_length) + margin +
                        bins_y * ((int)(z / bin_length) + margin));
    float inverse = 1.0f / cutoff2, energy = 0.0f;
    for (int n = 0; n < neighbours; n++) {
        int first = (bin + offsets[n]) * DEPTH * 4;
        for (int a = 0; a < DEPTH; a++) {
            float dx = bins[first + 4 * a] - x;
            float dy = bins[first + 4 * a + 1] - y;
            float dz = bins[first + 4 * a + 2] - z;
            float q = bins[first + 4 * a + 3];
            float r2 = dx * dx + dy * dy + dz * dz;
            if (q != 0.0f && r2 < cutoff2) {
                float s = 1.0f - r2 * inverse;
                energy += q * rsqrt(r2) * s * s;
            }
        }
    }
    lattice[i + nx * (j + ny * k)] = energy;
}
