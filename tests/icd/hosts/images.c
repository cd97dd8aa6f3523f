// All kinds of images in all kinds of memory, and the checks of all calls on images.
//
//     images DRIVER SEED
//
// Random commands and kernels run on each image, whose pixels are compared with an array of the
// host after each of them. Handles are called through the driver's own table, as a loader does.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include "open_driver.h"
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cl_icd_dispatch *cl;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static uint64_t state;
static int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) failures++, printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition);       \
  } while (0)
#define SUCCEEDS(call) RETURNS(CL_SUCCESS, call)
#define RETURNS(expected, call)                                                                    \
  do {                                                                                             \
    cl_int code_ = (call);                                                                         \
    if (code_ != (expected))                                                                       \
      failures++, printf("%s:%d: %s returned %d, not %s\n", __FILE__, __LINE__, #call, code_,      \
                         #expected);                                                               \
  } while (0)
// A call that makes an object, and ends with &error.
#define FAILS(expected, call)                                                                      \
  do {                                                                                             \
    cl_int error = 1;                                                                              \
    CHECK((call) == NULL);                                                                         \
    if (error != (expected))                                                                       \
      failures++, printf("%s:%d: %s: error %d, not %s\n", __FILE__, __LINE__, #call, error,        \
                         #expected);                                                               \
  } while (0)

static uint64_t next(void) { // xorshift64*
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  return state * 2685821657736338717ull;
}
static size_t pick(size_t n) { return (size_t)(next() >> 33) % n; }
static void randomize(void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) ((uint8_t *)bytes)[i] = (uint8_t)next();
}

// ------------------------------------------------------------------------------------ images

static const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
enum { PIXEL = 4 };

static const struct kind {
  cl_mem_object_type type;
  const char *name, *place; // in OpenCL C
  int dimensions;           // of the host's places
} kinds[] = {
    {CL_MEM_OBJECT_IMAGE1D, "image1d", "x", 1},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "image1d_buffer", "x", 1},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array", "(int2)(x, y)", 2},
    {CL_MEM_OBJECT_IMAGE2D, "image2d", "(int2)(x, y)", 2},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array", "(int4)(x, y, z, 0)", 3},
    {CL_MEM_OBJECT_IMAGE3D, "image3d", "(int4)(x, y, z, 0)", 3},
};

enum memory { OWN, COPIED, HOST, IN_BUFFER, IN_IMAGE, MEMORIES };

struct image {
  const struct kind *kind;
  cl_mem image;
  size_t size[3];
  uint8_t *pixels; // what it holds: x, y, z without gaps
  uint8_t *host;   // of HOST
  size_t row, slice;
};

static size_t pixel_count(const size_t size[3]) { return size[0] * size[1] * size[2]; }
static uint8_t *pixel(const struct image *image, size_t x, size_t y, size_t z) {
  return image->pixels + ((z * image->size[1] + y) * image->size[0] + x) * PIXEL;
}
static size_t row_step(const struct image *image) { // between the host's second places
  return image->kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? image->slice : image->row;
}

static cl_image_desc describe(const struct image *image) {
  cl_image_desc desc = {.image_type = image->kind->type, .image_width = image->size[0]};
  bool is_1d_array = image->kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  desc.image_height = is_1d_array ? 77 : image->size[1];
  desc.image_depth = image->kind->type == CL_MEM_OBJECT_IMAGE3D ? image->size[2] : 99;
  desc.image_array_size = is_1d_array ? image->size[1] : image->size[2];
  return desc;
}

// Makes an image with random pixels; false: there is none of this kind in this memory.
static bool make(struct image *image, const struct kind *kind, enum memory memory,
                 const size_t size[3]) {
  bool is_buffer = kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  bool is_2d = kind->type == CL_MEM_OBJECT_IMAGE2D;
  if (is_buffer != (memory == IN_BUFFER) && !(is_2d && memory == IN_BUFFER)) return false;
  if (memory == IN_IMAGE && !is_2d) return false;
  *image = (struct image){.kind = kind};
  memcpy(image->size, size, sizeof image->size);
  cl_image_desc desc = describe(image);
  bool has_pitches = memory == COPIED || memory == HOST || (is_2d && memory == IN_BUFFER);
  image->row = (size[0] + (has_pitches ? pick(3) : 0)) * PIXEL;
  bool is_1d_array = kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  size_t rows = is_1d_array ? 1 : size[1];
  bool has_slices = kind->dimensions == 3 || is_1d_array;
  image->slice = has_slices ? image->row * (rows + (has_pitches ? pick(3) : 0)) : 0;
  size_t step = row_step(image);
  size_t bytes = image->slice * size[2] + step * size[1];
  image->pixels = malloc(pixel_count(size) * PIXEL);
  randomize(image->pixels, pixel_count(size) * PIXEL);
  uint8_t *data = calloc(1, bytes);
  for (size_t z = 0; z < size[2]; z++)
    for (size_t y = 0; y < size[1]; y++)
      memcpy(data + z * image->slice + y * step, pixel(image, 0, y, z), size[0] * PIXEL);
  cl_mem_flags flags = memory == HOST ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR;
  cl_mem parent = NULL;
  cl_int error = CL_SUCCESS;
  if (has_pitches) {
    desc.image_row_pitch = image->row;
    if (memory != IN_BUFFER) desc.image_slice_pitch = image->slice;
  }
  if (memory == IN_BUFFER) {
    parent = cl->clCreateBuffer(context, flags, bytes, data, &error);
  } else if (memory == IN_IMAGE) {
    parent = cl->clCreateImage(context, flags, &format, &desc, data, &error);
    desc.image_row_pitch = image->row;
  }
  CHECK(error == CL_SUCCESS);
  desc.mem_object = parent;
  image->image = cl->clCreateImage(context, parent ? 0 : flags, &format, &desc,
                                   parent ? NULL : data, &error);
  CHECK(error == CL_SUCCESS);
  if (memory == HOST)
    image->host = data;
  else
    free(data);
  size_t value;
  SUCCEEDS(cl->clGetImageInfo(image->image, CL_IMAGE_ROW_PITCH, sizeof value, &value, NULL));
  CHECK(value == image->row);
  SUCCEEDS(cl->clGetImageInfo(image->image, CL_IMAGE_SLICE_PITCH, sizeof value, &value, NULL));
  CHECK(value == image->slice);
  SUCCEEDS(cl->clGetImageInfo(image->image, CL_IMAGE_ARRAY_SIZE, sizeof value, &value, NULL));
  CHECK(value == (is_1d_array ? size[1] : kind->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? size[2] : 0));
  cl_mem buffer;
  SUCCEEDS(cl->clGetImageInfo(image->image, CL_IMAGE_BUFFER, sizeof buffer, &buffer, NULL));
  CHECK(buffer == (memory == IN_BUFFER ? parent : NULL));
  if (parent) SUCCEEDS(cl->clReleaseMemObject(parent));
  return true;
}

static void release(struct image *image) {
  SUCCEEDS(cl->clReleaseMemObject(image->image));
  free(image->pixels);
  free(image->host);
}

// Compares all pixels.
static void compare(const struct image *image, const char *after) {
  static const size_t origin[3] = {0, 0, 0};
  uint8_t *got = malloc(pixel_count(image->size) * PIXEL);
  SUCCEEDS(cl->clEnqueueReadImage(queue, image->image, CL_TRUE, origin, image->size, 0, 0, got, 0,
                                  NULL, NULL));
  if (memcmp(got, image->pixels, pixel_count(image->size) * PIXEL))
    failures++, printf("%s: wrong pixels after %s\n", image->kind->name, after);
  for (size_t z = 0; image->host && z < image->size[2]; z++)
    for (size_t y = 0; y < image->size[1]; y++)
      CHECK(!memcmp(image->host + z * image->slice + y * row_step(image), pixel(image, 0, y, z),
                    image->size[0] * PIXEL));
  free(got);
}

// ---------------------------------------------------------------------------------- commands

struct box {
  size_t origin[3], region[3];
};

static struct box random_box(const size_t size[3]) {
  struct box box;
  for (int i = 0; i < 3; i++) {
    box.origin[i] = pick(size[i]);
    box.region[i] = 1 + pick(size[i] - box.origin[i]);
  }
  return box;
}

// Copies rows between the pixels of the box and memory with these distances.
static void transfer(const struct image *image, const struct box *box, uint8_t *memory, size_t row,
                     size_t slice, bool to_memory) {
  for (size_t z = 0; z < box->region[2]; z++)
    for (size_t y = 0; y < box->region[1]; y++) {
      uint8_t *a = memory + z * slice + y * row;
      uint8_t *b = pixel(image, box->origin[0], box->origin[1] + y, box->origin[2] + z);
      memcpy(to_memory ? a : b, to_memory ? b : a, box->region[0] * PIXEL);
    }
}

static void write_and_read(struct image *image) {
  struct box box = random_box(image->size);
  bool is_1d_array = image->kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  size_t least = box.region[0] * PIXEL, rows = is_1d_array ? 1 : box.region[1];
  size_t row = pick(2) ? least + pick(9) : 0, used_row = row ? row : least;
  size_t slice = image->slice && pick(2) ? used_row * rows + pick(9) : 0;
  size_t used_slice = slice ? slice : used_row * rows;
  size_t step = is_1d_array ? used_slice : used_row;
  size_t size = used_slice * box.region[2] + step * box.region[1];
  uint8_t *memory = malloc(size), *wanted = malloc(size);
  randomize(memory, size);
  cl_event written;
  SUCCEEDS(cl->clEnqueueWriteImage(queue, image->image, CL_FALSE, box.origin, box.region, row,
                                   slice, memory, 0, NULL, &written));
  transfer(image, &box, memory, step, used_slice, false);
  SUCCEEDS(cl->clWaitForEvents(1, &written));
  cl_command_type type;
  SUCCEEDS(cl->clGetEventInfo(written, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
  CHECK(type == CL_COMMAND_WRITE_IMAGE);
  SUCCEEDS(cl->clReleaseEvent(written));
  compare(image, "write");
  memset(memory, 0, size);
  memset(wanted, 0, size);
  transfer(image, &box, wanted, step, used_slice, true);
  SUCCEEDS(cl->clEnqueueReadImage(queue, image->image, CL_TRUE, box.origin, box.region, row, slice,
                                  memory, 0, NULL, NULL));
  CHECK(!memcmp(memory, wanted, size)); // nothing is written between rows
  free(memory);
  free(wanted);
}

static void fill(struct image *image) {
  struct box box = random_box(image->size);
  const cl_uint color[4] = {(cl_uint)pick(300), 255, 256, (cl_uint)pick(256)};
  SUCCEEDS(cl->clEnqueueFillImage(queue, image->image, color, box.origin, box.region, 0, NULL,
                                  NULL));
  for (size_t z = 0; z < box.region[2]; z++)
    for (size_t y = 0; y < box.region[1]; y++)
      for (size_t x = 0; x < box.region[0]; x++)
        for (int i = 0; i < 4; i++)
          pixel(image, box.origin[0] + x, box.origin[1] + y, box.origin[2] + z)[i] =
              (uint8_t)(color[i] > 255 ? 255 : color[i]);
  compare(image, "fill");
}

static void copy_by_buffer(struct image *image) {
  struct box from = random_box(image->size), to = from;
  for (int i = 0; i < 3; i++) to.origin[i] = pick(image->size[i] - to.region[i] + 1);
  size_t bytes = pixel_count(from.region) * PIXEL, offset = pick(16);
  cl_int error;
  cl_mem buffer = cl->clCreateBuffer(context, 0, bytes + offset, NULL, &error);
  SUCCEEDS(cl->clEnqueueCopyImageToBuffer(queue, image->image, buffer, from.origin, from.region,
                                          offset, 0, NULL, NULL));
  SUCCEEDS(cl->clEnqueueCopyBufferToImage(queue, buffer, image->image, offset, to.origin,
                                          to.region, 0, NULL, NULL));
  uint8_t *memory = malloc(bytes);
  size_t row = from.region[0] * PIXEL, slice = row * from.region[1];
  transfer(image, &from, memory, row, slice, true);
  transfer(image, &to, memory, row, slice, false);
  free(memory);
  SUCCEEDS(cl->clReleaseMemObject(buffer));
  compare(image, "copies to and from a buffer");
}

static void copy(struct image *to, const struct image *from) {
  size_t least[3];
  for (int i = 0; i < 3; i++) least[i] = to->size[i] < from->size[i] ? to->size[i] : from->size[i];
  struct box source = random_box(least), target = source;
  for (int i = 0; i < 3; i++) target.origin[i] = pick(to->size[i] - target.region[i] + 1);
  SUCCEEDS(cl->clEnqueueCopyImage(queue, from->image, to->image, source.origin, target.origin,
                                  source.region, 0, NULL, NULL));
  size_t row = source.region[0] * PIXEL, slice = row * source.region[1];
  uint8_t *memory = malloc(slice * source.region[2]);
  transfer(from, &source, memory, row, slice, true);
  transfer(to, &target, memory, row, slice, false);
  free(memory);
  compare(to, "a copy from an image");
}

static void map(struct image *image) {
  struct box box = random_box(image->size);
  size_t row = 0, slice = 0;
  cl_int error;
  cl_map_flags flags = CL_MAP_READ | CL_MAP_WRITE;
  uint8_t *mapped = cl->clEnqueueMapImage(queue, image->image, CL_TRUE, flags, box.origin,
                                          box.region, &row, &slice, 0, NULL, NULL, &error);
  CHECK(error == CL_SUCCESS);
  CHECK(row == image->row && slice == image->slice);
  if (image->host)
    CHECK(mapped == image->host + box.origin[0] * PIXEL + box.origin[1] * row_step(image) +
                        box.origin[2] * image->slice);
  cl_uint count;
  SUCCEEDS(cl->clGetMemObjectInfo(image->image, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
  CHECK(count == 1);
  size_t step = image->kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice : row;
  for (size_t z = 0; z < box.region[2]; z++)
    for (size_t y = 0; y < box.region[1]; y++) {
      uint8_t *at = mapped + z * slice + y * step;
      uint8_t *wanted = pixel(image, box.origin[0], box.origin[1] + y, box.origin[2] + z);
      CHECK(!memcmp(at, wanted, box.region[0] * PIXEL));
      randomize(at, box.region[0] * PIXEL);
      memcpy(wanted, at, box.region[0] * PIXEL);
    }
  SUCCEEDS(cl->clEnqueueUnmapMemObject(queue, image->image, mapped, 0, NULL, NULL));
  compare(image, "a mapping");
}

static cl_program program;

static void run_kernel(struct image *to, const struct image *from) {
  cl_int error;
  cl_kernel kernel = cl->clCreateKernel(program, from->kind->name, &error);
  CHECK(error == CL_SUCCESS);
  SUCCEEDS(cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &from->image));
  SUCCEEDS(cl->clSetKernelArg(kernel, 1, sizeof(cl_mem), &to->image));
  SUCCEEDS(cl->clEnqueueNDRangeKernel(queue, kernel, 3, NULL, from->size, NULL, 0, NULL, NULL));
  for (size_t i = 0; i < pixel_count(to->size) * PIXEL; i++) to->pixels[i] = from->pixels[i] ^ 1;
  compare(to, "a kernel");
  SUCCEEDS(cl->clReleaseKernel(kernel));
}

static void build_kernels(void) {
  char *source = malloc(1 << 16);
  size_t length = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    length += (size_t)sprintf(
        source + length,
        "kernel void %s(read_only %s_t from, write_only %s_t to) {\n"
        "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
        "  write_imageui(to, %s, read_imageui(from, %s) ^ 1);\n"
        "}\n",
        kinds[i].name, kinds[i].name, kinds[i].name, kinds[i].place, kinds[i].place);
  const char *text = source;
  program = cl->clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  SUCCEEDS(cl->clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  free(source);
}

static void check_kinds(void) {
  build_kernels();
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int memory = 0; memory < MEMORIES; memory++) {
      size_t size[3] = {1, 1, 1};
      for (int i = 0; i < kinds[k].dimensions; i++) size[i] = 2 + pick(9);
      struct image image, other, same;
      if (!make(&image, &kinds[k], (enum memory)memory, size)) continue;
      compare(&image, "its creation");
      enum memory others = kinds[k].type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? IN_BUFFER : OWN;
      make(&same, &kinds[k], others, size);
      for (int i = 0; i < 3; i++) size[i] = 1 + pick(9);
      make(&other, &kinds[5 - pick(3)], OWN, size); // of three dimensions, or its last is 1
      if (other.kind->dimensions == 2) {
        release(&other);
        size[2] = 1;
        make(&other, &kinds[3], OWN, size);
      }
      for (int step = 0; step < 20; step++) {
        write_and_read(&image);
        fill(&image);
        copy_by_buffer(&image);
        copy(&image, &other);
        copy(&other, &image);
        map(&image);
      }
      run_kernel(&same, &image);
      run_kernel(&image, &same);
      release(&same);
      release(&other);
      release(&image);
    }
  SUCCEEDS(cl->clReleaseProgram(program));
}

// -------------------------------------------------------------------------------------- errors

static cl_mem image_of(cl_mem_object_type type, cl_mem_flags flags) {
  cl_image_desc desc = {.image_type = type,
                        .image_width = 8,
                        .image_height = 4,
                        .image_depth = 2,
                        .image_array_size = 2};
  cl_int error;
  cl_mem image = cl->clCreateImage(context, flags, &format, &desc, NULL, &error);
  CHECK(error == CL_SUCCESS);
  return image;
}

static void check_creation_errors(void) {
  static char memory[4096];
  const cl_image_desc good = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4};
  cl_image_desc desc = good;
  cl_image_format bad = format;
  cl_mem_properties properties[] = {0x1234, 1, 0};
#define CREATE(flags, format, desc, host)                                                          \
  cl->clCreateImage(context, flags, format, desc, host, &error)
  FAILS(CL_INVALID_CONTEXT, cl->clCreateImage(NULL, 0, &format, &desc, NULL, &error));
  FAILS(CL_INVALID_PROPERTY, cl->clCreateImageWithProperties(context, properties, 0, &format, &desc,
                                                             NULL, &error));
  FAILS(CL_INVALID_VALUE, CREATE(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &format, &desc, NULL));
  FAILS(CL_INVALID_VALUE, CREATE((cl_mem_flags)1 << 40, &format, &desc, NULL));
  FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CREATE(0, NULL, &desc, NULL));
  bad.image_channel_order = 0;
  FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CREATE(0, &bad, &desc, NULL));
  bad = (cl_image_format){CL_RGB, CL_FLOAT};
  FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CREATE(0, &bad, &desc, NULL));
  bad = (cl_image_format){CL_INTENSITY, CL_SIGNED_INT8};
  FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CREATE(0, &bad, &desc, NULL));
  bad = (cl_image_format){CL_RGBx, CL_UNORM_SHORT_565};
  FAILS(CL_IMAGE_FORMAT_NOT_SUPPORTED, CREATE(0, &bad, &desc, NULL));
  FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, &format, NULL, NULL));
  desc.image_type = CL_MEM_OBJECT_BUFFER;
  FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, &format, &desc, NULL));
  desc = good, desc.num_mip_levels = 2;
  FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, &format, &desc, NULL));
  desc = good, desc.num_samples = 1;
  FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, &format, &desc, NULL));
  desc = good, desc.image_row_pitch = 64;
  FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, &format, &desc, NULL));
  desc.image_row_pitch = 34;
  FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(CL_MEM_USE_HOST_PTR, &format, &desc, memory));
  desc.image_row_pitch = 28;
  FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(CL_MEM_USE_HOST_PTR, &format, &desc, memory));
  desc = good, desc.image_type = CL_MEM_OBJECT_IMAGE3D, desc.image_depth = 2;
  desc.image_slice_pitch = 132;
  FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(CL_MEM_USE_HOST_PTR, &format, &desc, memory));
  desc.image_slice_pitch = 96;
  FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(CL_MEM_USE_HOST_PTR, &format, &desc, memory));
  desc.image_slice_pitch = 0, desc.image_depth = 0;
  FAILS(CL_INVALID_IMAGE_SIZE, CREATE(0, &format, &desc, NULL));
  desc = good, desc.image_width = 0;
  FAILS(CL_INVALID_IMAGE_SIZE, CREATE(0, &format, &desc, NULL));
  desc = good, desc.image_height = 1 << 20;
  FAILS(CL_INVALID_IMAGE_SIZE, CREATE(0, &format, &desc, NULL));
  desc = good, desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
  FAILS(CL_INVALID_IMAGE_SIZE, CREATE(0, &format, &desc, NULL));
  desc = good;
  FAILS(CL_INVALID_HOST_PTR, CREATE(CL_MEM_USE_HOST_PTR, &format, &desc, NULL));
  FAILS(CL_INVALID_HOST_PTR, CREATE(0, &format, &desc, memory));
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, &format, &desc, NULL)); // without a buffer

  cl_mem buffer = cl->clCreateBuffer(context, CL_MEM_READ_ONLY, 128, NULL, NULL);
  desc.mem_object = buffer;
  FAILS(CL_INVALID_VALUE, CREATE(CL_MEM_WRITE_ONLY, &format, &desc, NULL));
  FAILS(CL_INVALID_VALUE, CREATE(CL_MEM_COPY_HOST_PTR, &format, &desc, memory));
  desc.image_width = 33;
  FAILS(CL_INVALID_IMAGE_SIZE, CREATE(0, &format, &desc, NULL));
  desc = good, desc.mem_object = buffer, desc.image_row_pitch = 30;
  FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, &format, &desc, NULL));
  desc.image_row_pitch = 44;
  FAILS(CL_INVALID_IMAGE_SIZE, CREATE(0, &format, &desc, NULL));
  desc.image_type = CL_MEM_OBJECT_IMAGE3D, desc.image_depth = 1;
  FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, &format, &desc, NULL));
  cl_mem image = image_of(CL_MEM_OBJECT_IMAGE2D, 0);
  desc = good, desc.mem_object = image, desc.image_width = 7;
  FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, &format, &desc, NULL));
  desc.image_width = 8;
  bad = (cl_image_format){CL_RGBA, CL_SIGNED_INT8};
  FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CREATE(0, &bad, &desc, NULL));
  SUCCEEDS(cl->clReleaseMemObject(image));
  SUCCEEDS(cl->clReleaseMemObject(buffer));

  FAILS(CL_INVALID_IMAGE_SIZE, cl->clCreateImage2D(context, 0, &format, 8, 4, 64, NULL, &error));
  FAILS(CL_INVALID_IMAGE_SIZE,
        cl->clCreateImage3D(context, 0, &format, 8, 4, 1, 0, 0, NULL, &error));
  cl_uint count = 0;
  RETURNS(CL_INVALID_VALUE,
          cl->clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, &count));
  RETURNS(CL_INVALID_VALUE,
          cl->clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, &bad, &count));
  RETURNS(CL_INVALID_CONTEXT,
          cl->clGetSupportedImageFormats(NULL, 0, CL_MEM_OBJECT_IMAGE2D, 1, &bad, &count));
  SUCCEEDS(cl->clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 1, &bad, &count));
  CHECK(count > 20);
}

static void check_command_errors(void) {
  static char memory[4096];
  size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, row, slice;
  size_t empty[3] = {0, 1, 1}, wide[3] = {9, 1, 1}, deep[3] = {1, 1, 2}, far[3] = {SIZE_MAX, 0, 0};
  cl_mem image = image_of(CL_MEM_OBJECT_IMAGE2D, 0);
  cl_mem volume = image_of(CL_MEM_OBJECT_IMAGE3D, 0);
  cl_mem buffer = cl->clCreateBuffer(context, 0, 128, NULL, NULL);
  cl_context strangers = cl->clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue strange = cl->clCreateCommandQueue(strangers, device, 0, NULL);
  cl_event event = cl->clCreateUserEvent(strangers, NULL);
#define READ(queue, image, origin, region, row, slice, ptr, count, list)                           \
  cl->clEnqueueReadImage(queue, image, CL_TRUE, origin, region, row, slice, ptr, count, list, NULL)
  RETURNS(CL_INVALID_COMMAND_QUEUE, READ(NULL, image, zero, one, 0, 0, memory, 0, NULL));
  RETURNS(CL_INVALID_MEM_OBJECT, READ(queue, buffer, zero, one, 0, 0, memory, 0, NULL));
  RETURNS(CL_INVALID_MEM_OBJECT, READ(queue, NULL, zero, one, 0, 0, memory, 0, NULL));
  RETURNS(CL_INVALID_CONTEXT, READ(strange, image, zero, one, 0, 0, memory, 0, NULL));
  RETURNS(CL_INVALID_VALUE, READ(queue, image, NULL, one, 0, 0, memory, 0, NULL));
  RETURNS(CL_INVALID_VALUE, READ(queue, image, zero, NULL, 0, 0, memory, 0, NULL));
  RETURNS(CL_INVALID_VALUE, READ(queue, image, zero, empty, 0, 0, memory, 0, NULL));
  RETURNS(CL_INVALID_VALUE, READ(queue, image, zero, wide, 0, 0, memory, 0, NULL));
  RETURNS(CL_INVALID_VALUE, READ(queue, image, zero, deep, 0, 0, memory, 0, NULL));
  RETURNS(CL_INVALID_VALUE, READ(queue, image, far, one, 0, 0, memory, 0, NULL));
  RETURNS(CL_INVALID_VALUE, READ(queue, image, zero, one, 3, 0, memory, 0, NULL));
  RETURNS(CL_INVALID_VALUE, READ(queue, image, zero, one, 0, 4, memory, 0, NULL));
  RETURNS(CL_INVALID_VALUE, READ(queue, volume, zero, deep, 4, 3, memory, 0, NULL));
  RETURNS(CL_INVALID_VALUE, READ(queue, image, zero, one, 0, 0, NULL, 0, NULL));
  RETURNS(CL_INVALID_EVENT_WAIT_LIST, READ(queue, image, zero, one, 0, 0, memory, 1, NULL));
  RETURNS(CL_INVALID_CONTEXT, READ(queue, image, zero, one, 0, 0, memory, 1, &event));
  cl_mem hidden = image_of(CL_MEM_OBJECT_IMAGE2D, CL_MEM_HOST_NO_ACCESS);
  cl_mem read_only = image_of(CL_MEM_OBJECT_IMAGE2D, CL_MEM_HOST_READ_ONLY);
  RETURNS(CL_INVALID_OPERATION, READ(queue, hidden, zero, one, 0, 0, memory, 0, NULL));
  RETURNS(CL_INVALID_OPERATION, cl->clEnqueueWriteImage(queue, read_only, CL_TRUE, zero, one, 0, 0,
                                                        memory, 0, NULL, NULL));
#define MAP(image, flags, region, row, slice)                                                      \
  cl->clEnqueueMapImage(queue, image, CL_TRUE, flags, zero, region, row, slice, 0, NULL, NULL,     \
                        &error)
  FAILS(CL_INVALID_OPERATION, MAP(read_only, CL_MAP_WRITE, one, &row, &slice));
  FAILS(CL_INVALID_VALUE, MAP(image, CL_MAP_READ, one, NULL, &slice));
  FAILS(CL_INVALID_VALUE, MAP(volume, CL_MAP_READ, one, &row, NULL));
  FAILS(CL_INVALID_VALUE, MAP(image, CL_MAP_READ, wide, &row, &slice));
  FAILS(CL_INVALID_VALUE, MAP(image, 64, one, &row, &slice));
  RETURNS(CL_INVALID_VALUE, cl->clEnqueueUnmapMemObject(queue, image, memory, 0, NULL, NULL));
  RETURNS(CL_INVALID_VALUE,
          cl->clEnqueueFillImage(queue, image, NULL, zero, one, 0, NULL, NULL));
  RETURNS(CL_INVALID_VALUE,
          cl->clEnqueueFillImage(queue, image, memory, zero, wide, 0, NULL, NULL));
  RETURNS(CL_INVALID_VALUE,
          cl->clEnqueueCopyImageToBuffer(queue, image, buffer, zero, one, 125, 0, NULL, NULL));
  RETURNS(CL_INVALID_MEM_OBJECT,
          cl->clEnqueueCopyImageToBuffer(queue, image, image, zero, one, 0, 0, NULL, NULL));
  RETURNS(CL_INVALID_VALUE,
          cl->clEnqueueCopyBufferToImage(queue, buffer, image, 0, zero, wide, 0, NULL, NULL));
  RETURNS(CL_MEM_COPY_OVERLAP,
          cl->clEnqueueCopyImage(queue, image, image, zero, zero, one, 0, NULL, NULL));
  RETURNS(CL_INVALID_VALUE,
          cl->clEnqueueCopyImage(queue, volume, image, zero, zero, deep, 0, NULL, NULL));
  const cl_image_format floats = {CL_RGBA, CL_FLOAT};
  cl_mem other = cl->clCreateImage2D(context, 0, &floats, 8, 4, 0, NULL, NULL);
  RETURNS(CL_IMAGE_FORMAT_MISMATCH,
          cl->clEnqueueCopyImage(queue, image, other, zero, zero, one, 0, NULL, NULL));
  RETURNS(CL_INVALID_VALUE, cl->clGetImageInfo(image, 0, 0, NULL, NULL));
  RETURNS(CL_INVALID_VALUE, cl->clGetImageInfo(image, CL_IMAGE_WIDTH, 4, memory, NULL));
  RETURNS(CL_INVALID_MEM_OBJECT, cl->clGetImageInfo(buffer, CL_IMAGE_WIDTH, 8, memory, NULL));
  cl_mem all[] = {image, volume, buffer, hidden, read_only, other};
  for (int i = 0; i < 6; i++) SUCCEEDS(cl->clReleaseMemObject(all[i]));
  SUCCEEDS(cl->clReleaseEvent(event));
  SUCCEEDS(cl->clReleaseCommandQueue(strange));
  SUCCEEDS(cl->clReleaseContext(strangers));
}

static void check_samplers(void) {
  cl_int error;
  cl_sampler_properties given[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                   CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, 0};
  cl_sampler sampler = cl->clCreateSamplerWithProperties(context, given, &error);
  CHECK(error == CL_SUCCESS);
  cl_sampler_properties properties[8];
  size_t size;
  cl_uint value;
#define INFO(name, expected)                                                                       \
  SUCCEEDS(cl->clGetSamplerInfo(sampler, name, sizeof value, &value, NULL));                       \
  CHECK(value == (expected))
  INFO(CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR);
  INFO(CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP);
  INFO(CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE);
  INFO(CL_SAMPLER_REFERENCE_COUNT, 1);
  SUCCEEDS(cl->clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof properties, properties,
                                &size));
  CHECK(size == sizeof given && !memcmp(properties, given, size));
  SUCCEEDS(cl->clRetainSampler(sampler));
  SUCCEEDS(cl->clReleaseSampler(sampler));
  SUCCEEDS(cl->clReleaseSampler(sampler));
  RETURNS(CL_INVALID_SAMPLER, cl->clReleaseSampler(sampler));
  RETURNS(CL_INVALID_SAMPLER, cl->clRetainSampler(NULL));
  sampler = cl->clCreateSampler(context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &error);
  INFO(CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT);
  SUCCEEDS(cl->clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, NULL, &size));
  CHECK(size == 0);
  RETURNS(CL_INVALID_VALUE, cl->clGetSamplerInfo(sampler, 0, 0, NULL, NULL));
  SUCCEEDS(cl->clReleaseSampler(sampler));
  given[2] = CL_SAMPLER_FILTER_MODE, given[3] = CL_FILTER_NEAREST; // twice
  FAILS(CL_INVALID_VALUE, cl->clCreateSamplerWithProperties(context, given, &error));
  given[2] = CL_SAMPLER_REFERENCE_COUNT;
  FAILS(CL_INVALID_VALUE, cl->clCreateSamplerWithProperties(context, given, &error));
  FAILS(CL_INVALID_VALUE, cl->clCreateSampler(context, 2, CL_ADDRESS_NONE, CL_FILTER_LINEAR,
                                              &error));
  FAILS(CL_INVALID_VALUE, cl->clCreateSampler(context, CL_TRUE, 1, CL_FILTER_LINEAR, &error));
  FAILS(CL_INVALID_VALUE, cl->clCreateSampler(context, CL_TRUE, CL_ADDRESS_NONE, 7, &error));
  FAILS(CL_INVALID_CONTEXT,
        cl->clCreateSampler(NULL, CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_LINEAR, &error));
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  cl_platform_id platform;
  cl = open_driver(argv[1], &platform);
  state = strtoull(argv[2], NULL, 10) * 7919 + 1;
  cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = cl->clCreateCommandQueue(context, device, 0, NULL);
  check_creation_errors();
  check_command_errors();
  check_samplers();
  check_kinds();
  cl_uint count;
  SUCCEEDS(cl->clReleaseCommandQueue(queue));
  SUCCEEDS(cl->clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
  CHECK(count == 1);
  SUCCEEDS(cl->clReleaseContext(context));
  if (!failures) printf("good\n");
  return failures != 0;
}
