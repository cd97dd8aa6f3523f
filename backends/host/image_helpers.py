"""Functions of C for images, whose pixels are bytes, row after row."""

from __future__ import annotations

IMAGE_HELPERS = {
    "new_image": """\
static cl_mem new_image(cl_mem_object_type kind, cl_channel_order order, cl_channel_type type,
                        size_t width, size_t height, size_t depth, size_t images) {
  cl_int status;
  cl_image_format format = {order, type};
  cl_image_desc desc = {.image_type = kind,
                        .image_width = width,
                        .image_height = height,
                        .image_depth = depth,
                        .image_array_size = images};
  cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &status);
  CHECK(status);
  return image;
}
""",
    "new_sampler": """\
/* Of the number that CLK_* make in a kernel. */
static cl_sampler new_sampler(cl_uint bits) {
  cl_int status;
  cl_filter_mode filter = bits & 0x20 ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
  cl_addressing_mode address = CL_ADDRESS_NONE + (bits >> 1 & 7);
  cl_sampler sampler = clCreateSampler(context, bits & 1, address, filter, &status);
  CHECK(status);
  return sampler;
}
""",
    "image_part": """\
/* All pixels if these are the bytes, else pixels of one row: returns how many bytes they have. */
static size_t image_part(cl_mem image, size_t start, size_t bytes, size_t origin[3],
                         size_t region[3]) {
  size_t pixel, size[3], images;
  CHECK(clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof(pixel), &pixel, NULL));
  CHECK(clGetImageInfo(image, CL_IMAGE_WIDTH, sizeof(*size), &size[0], NULL));
  CHECK(clGetImageInfo(image, CL_IMAGE_HEIGHT, sizeof(*size), &size[1], NULL));
  CHECK(clGetImageInfo(image, CL_IMAGE_DEPTH, sizeof(*size), &size[2], NULL));
  CHECK(clGetImageInfo(image, CL_IMAGE_ARRAY_SIZE, sizeof(images), &images, NULL));
  if (images) size[size[1] ? 2 : 1] = images;
  for (int i = 1; i < 3; i++)
    if (!size[i]) size[i] = 1;
  size_t row = size[0] * pixel;
  if (!start && bytes == row * size[1] * size[2]) {
    memset(origin, 0, 3 * sizeof(*origin));
    memcpy(region, size, sizeof(size));
    return bytes;
  }
  if (bytes > row - start % row) bytes = row - start % row;
  origin[0] = start % row / pixel;
  origin[1] = start / row % size[1];
  origin[2] = start / row / size[1];
  region[0] = bytes / pixel;
  region[1] = region[2] = 1;
  return bytes;
}
""",
    "write_image": """\
static void write_image(cl_mem image, size_t start, size_t bytes, const void *from) {
  size_t origin[3], region[3];
  for (size_t done = 0, part; done < bytes; done += part) {
    part = image_part(image, start + done, bytes - done, origin, region);
    CHECK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0,
                              (const char *)from + done, 0, NULL, NULL));
  }
}
""",
    "read_image": """\
static void read_image(cl_mem image, size_t start, size_t bytes, void *to) {
  size_t origin[3], region[3];
  for (size_t done = 0, part; done < bytes; done += part) {
    part = image_part(image, start + done, bytes - done, origin, region);
    CHECK(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, (char *)to + done, 0,
                             NULL, NULL));
  }
}
""",
    "copy_images": """\
static void copy_images(cl_mem from, int from_image, size_t from_start, cl_mem to, int to_image,
                        size_t to_start, size_t bytes) {
  void *memory = malloc(bytes);
  if (from_image) read_image(from, from_start, bytes, memory);
  else CHECK(clEnqueueReadBuffer(queue, from, CL_TRUE, from_start, bytes, memory, 0, NULL, NULL));
  if (to_image) write_image(to, to_start, bytes, memory);
  else CHECK(clEnqueueWriteBuffer(queue, to, CL_TRUE, to_start, bytes, memory, 0, NULL, NULL));
  free(memory);
}
""",
    "fill_image": """\
static void fill_image(cl_mem image, const void *pattern, size_t size, size_t start,
                       size_t bytes) {
  char *memory = malloc(bytes);
  for (size_t at = 0; at < bytes; at += size) memcpy(memory + at, pattern, size);
  write_image(image, start, bytes, memory);
  free(memory);
}
""",
}
