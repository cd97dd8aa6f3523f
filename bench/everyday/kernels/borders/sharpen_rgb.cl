//: global 600 400
//: local 20 20
//: arg r.integers(0, 256, 600 * 400 * 3, np.uint8)
//: arg np.zeros(600 * 400 * 3, np.uint8)
//: arg np.int32(600)
//: arg np.int32(400)
// Sharpens interleaved RGB; the border is copied.
__kernel void sharpen(__global const unsigned char *in, __global unsigned char *out, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int idx = (y * w + x) * 3;
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
        out[idx] = in[idx];
        out[idx + 1] = in[idx + 1];
        out[idx + 2] = in[idx + 2];
        return;
    }
    for (int c = 0; c < 3; c++) {
        int v = 5 * in[idx + c] - in[idx + c - 3] - in[idx + c + 3] - in[idx + c - w * 3] - in[idx + c + w * 3];
        out[idx + c] = v < 0 ? 0 : v > 255 ? 255 : v;
    }
}
