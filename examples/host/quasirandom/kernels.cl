// Points of a quasi-random sequence in three dimensions, in (0, 1]: a coordinate is the XOR of the
// direction numbers of those bits that the point's number has. `out` has one dimension after the
// other, `table` the direction numbers of one dimension after the other.
#define BITS 31

kernel void generate(global float *out, constant uint *table, uint seed, int n)
{
    int i = get_global_id(0), d = get_local_id(1);
    if (i < n) {
        uint number = seed + i, value = 0;
        for (int bit = 0; bit < BITS; bit++) {
            if (number & 1)
                value ^= table[d * BITS + bit];
            number >>= 1;
        }
        out[d * n + i] = (float)(value + 1) * (1.0f / 2147483648.0f);
    }
}
