//: global 1024 768
//: local 16 16
//: arg r.integers(0, 2, 1024 * 768, np.uint8)
//: arg np.zeros(1024 * 768, np.uint8)
//: arg np.int32(1024)
//: arg np.int32(768)
// Conway's game of life on a torus.
__kernel void life(__global const uchar *cells, __global uchar *next, const int width, const int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int left = (x + width - 1) % width;
    int right = (x + 1) % width;
    int up = (y + height - 1) % height;
    int down = (y + 1) % height;

    int count = cells[up * width + left] + cells[up * width + x] + cells[up * width + right]
              + cells[y * width + left] + cells[y * width + right]
              + cells[down * width + left] + cells[down * width + x] + cells[down * width + right];

    uchar alive = cells[y * width + x];
    next[y * width + x] = (count == 3 || (count == 2 && alive)) ? 1 : 0;
}
