// Images and samplers (OpenCL 3.0, sections 5.3 and 5.7).
//
// A kernel gets the address of an image's header, whose fields are those of
// lowering/ocl/ocl_expand_images/image_functions.cl. The pixels of an image of its own follow the
// header; those of others are in the host's memory, a buffer or another image.
#include "driver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ----------------------------------------------------------------------------------- formats

#define ZERO 4 // a colour that no channel has
#define ONE 5
#define NIBBLES(a, b, c, d) ((a) | (b) << 4 | (c) << 8 | (d) << 12)

struct order {
  cl_channel_order name;
  unsigned channels;
  int to_color;   // from the lowest 4 bits: the channel of r, g, b, a
  int from_color; // the colour in each channel
};

static const struct order orders[] = {
    {CL_R, 1, NIBBLES(0, ZERO, ZERO, ONE), NIBBLES(0, 0, 0, 0)},
    {CL_A, 1, NIBBLES(ZERO, ZERO, ZERO, 0), NIBBLES(3, 0, 0, 0)},
    {CL_RG, 2, NIBBLES(0, 1, ZERO, ONE), NIBBLES(0, 1, 0, 0)},
    {CL_RA, 2, NIBBLES(0, ZERO, ZERO, 1), NIBBLES(0, 3, 0, 0)},
    {CL_RGB, 3, NIBBLES(0, 1, 2, ONE), NIBBLES(0, 1, 2, 0)},
    {CL_RGBA, 4, NIBBLES(0, 1, 2, 3), NIBBLES(0, 1, 2, 3)},
    {CL_BGRA, 4, NIBBLES(2, 1, 0, 3), NIBBLES(2, 1, 0, 3)},
    {CL_ARGB, 4, NIBBLES(1, 2, 3, 0), NIBBLES(3, 0, 1, 2)},
    {CL_ABGR, 4, NIBBLES(3, 2, 1, 0), NIBBLES(3, 2, 1, 0)},
    {CL_sRGBA, 4, NIBBLES(0, 1, 2, 3), NIBBLES(0, 1, 2, 3)},
    {CL_sBGRA, 4, NIBBLES(2, 1, 0, 3), NIBBLES(2, 1, 0, 3)},
    {CL_INTENSITY, 1, NIBBLES(0, 0, 0, 0), NIBBLES(0, 0, 0, 0)},
    {CL_LUMINANCE, 1, NIBBLES(0, 0, 0, ONE), NIBBLES(0, 0, 0, 0)},
    {CL_DEPTH, 1, NIBBLES(0, ZERO, ZERO, ONE), NIBBLES(0, 0, 0, 0)},
};

struct type {
  cl_channel_type name;
  unsigned bytes; // of a channel; of packed types: of a pixel
  char kind; // u, s: normalized, without and with sign; n, i: integers; f: floats; p: packed
  unsigned char bits[4]; // of packed types: of each channel; the last one is the lowest
};

static const struct type types[] = {
    {CL_UNORM_INT8, 1, 'u', {0}},
    {CL_UNORM_INT16, 2, 'u', {0}},
    {CL_SNORM_INT8, 1, 's', {0}},
    {CL_SNORM_INT16, 2, 's', {0}},
    {CL_SIGNED_INT8, 1, 'i', {0}},
    {CL_SIGNED_INT16, 2, 'i', {0}},
    {CL_SIGNED_INT32, 4, 'i', {0}},
    {CL_UNSIGNED_INT8, 1, 'n', {0}},
    {CL_UNSIGNED_INT16, 2, 'n', {0}},
    {CL_UNSIGNED_INT32, 4, 'n', {0}},
    {CL_HALF_FLOAT, 2, 'f', {0}},
    {CL_FLOAT, 4, 'f', {0}},
    {CL_UNORM_SHORT_565, 2, 'p', {5, 6, 5}},
    {CL_UNORM_SHORT_555, 2, 'p', {5, 5, 5}},
    {CL_UNORM_INT_101010, 4, 'p', {10, 10, 10}},
    {CL_UNORM_INT_101010_2, 4, 'p', {10, 10, 10, 2}},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct order *find_order(cl_channel_order name) {
  for (size_t i = 0; i < COUNT(orders); i++)
    if (orders[i].name == name) return &orders[i];
  return NULL;
}

static const struct type *find_type(cl_channel_type name) {
  for (size_t i = 0; i < COUNT(types); i++)
    if (types[i].name == name) return &types[i];
  return NULL;
}

static bool is_srgb(cl_channel_order order) { return order >= CL_sRGB && order <= CL_sBGRA; }

// Whether OpenCL has channels of this order in elements of this type.
static bool fit(cl_channel_order order, const struct type *type) {
  if (type->name == CL_UNORM_INT_101010_2) return order == CL_RGBA;
  switch (order) {
  case CL_RGB:
  case CL_RGBx: return type->kind == 'p';
  case CL_INTENSITY:
  case CL_LUMINANCE: return strchr("usf", type->kind);
  case CL_BGRA:
  case CL_ARGB:
  case CL_ABGR: return type->bytes == 1;
  case CL_sRGB:
  case CL_sRGBx:
  case CL_sRGBA:
  case CL_sBGRA: return type->name == CL_UNORM_INT8;
  case CL_DEPTH: return type->name == CL_UNORM_INT16 || type->name == CL_FLOAT;
  default: return type->kind != 'p';
  }
}

// Whether pixels of such an image may be depths (cl_khr_depth_images).
static bool has_depths(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

size_t image_element_size(const cl_image_format *format) {
  const struct order *order = find_order(format->image_channel_order);
  const struct type *type = find_type(format->image_channel_data_type);
  if (!order || !type || !fit(order->name, type)) return 0;
  return type->kind == 'p' ? type->bytes : order->channels * type->bytes;
}

// Whether OpenCL has the format, supported or not.
static bool is_format(const cl_image_format *format) {
  cl_channel_order order = format->image_channel_order;
  const struct type *type = find_type(format->image_channel_data_type);
  bool is_type = type || format->image_channel_data_type == CL_UNORM_INT24;
  return order >= CL_R && order <= CL_ABGR && is_type && (!type || fit(order, type));
}

API cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                                  cl_mem_object_type kind, cl_uint num_entries,
                                                  cl_image_format *formats, cl_uint *num_formats) {
  if (!object_is(context, KIND_CONTEXT)) return CL_INVALID_CONTEXT;
  if (!flags_are_valid(flags) || !is_image_type(kind) || (!num_entries && formats))
    return CL_INVALID_VALUE;
  cl_uint count = 0;
  for (size_t i = 0; i < COUNT(orders); i++)
    for (size_t j = 0; j < COUNT(types); j++) {
      if (!fit(orders[i].name, &types[j])) continue;
      // Kernels do not write sRGB (cl_khr_srgb_image_writes).
      if (is_srgb(orders[i].name) && !(flags & CL_MEM_READ_ONLY)) continue;
      if (orders[i].name == CL_DEPTH && !has_depths(kind)) continue;
      if (formats && count < num_entries)
        formats[count] = (cl_image_format){orders[i].name, types[j].name};
      count++;
    }
  if (num_formats) *num_formats = count;
  return CL_SUCCESS;
}

// ------------------------------------------------------------------------------------ images

bool is_image_type(cl_mem_object_type type) {
  return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

bool is_image(cl_mem memory) {
  return object_is(memory, KIND_MEMORY) && is_image_type(memory->type);
}

struct header {
  int32_t width, height, order, type, depth, channels, to_color, from_color;
  int64_t first_pixel, pitch, slice;
  int32_t pixel, packed, place[4], top[4];
  int64_t linear;
};

enum { HEADER_BYTES = ALIGNMENT }; // the pixels that follow it are aligned, too
_Static_assert(sizeof(struct header) <= HEADER_BYTES, "the header has space");

static bool is_array(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

// The pixels in each of the three coordinates that the host uses.
static void sizes(const cl_image_desc *desc, size_t size[3]) {
  size[0] = desc->image_width;
  size[1] = size[2] = 1;
  switch (desc->image_type) {
  case CL_MEM_OBJECT_IMAGE1D_ARRAY: size[1] = desc->image_array_size; break;
  case CL_MEM_OBJECT_IMAGE2D: size[1] = desc->image_height; break;
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    size[1] = desc->image_height;
    size[2] = desc->image_array_size;
    break;
  case CL_MEM_OBJECT_IMAGE3D:
    size[1] = desc->image_height;
    size[2] = desc->image_depth;
    break;
  }
}

size_t image_row(cl_mem image) {
  return image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? image->slice_pitch : image->row_pitch;
}

void image_region(cl_mem image, size_t region[3]) {
  sizes(&image->desc, region);
  region[0] *= image->element_size;
}

size_t image_place(cl_mem image, const char *pixel) {
  size_t region[3], at = (size_t)(pixel - image->data), z = 0, row = image_row(image);
  image_region(image, region);
  if (region[2] > 1) z = at / image->slice_pitch, at %= image->slice_pitch;
  return (z * region[1] + at / row) * region[0] + at % row;
}

static char *pixel_at(cl_mem image, const size_t origin[3]) {
  return image->data + origin[2] * image->slice_pitch + origin[1] * image_row(image) +
         origin[0] * image->element_size;
}

static cl_int check_sizes(const cl_image_desc *desc) {
  size_t size[3], limit[3] = {IMAGE_MAX_SIZE, IMAGE_MAX_SIZE, IMAGE_MAX_COUNT};
  sizes(desc, size);
  switch (desc->image_type) {
  case CL_MEM_OBJECT_IMAGE1D_BUFFER: limit[0] = IMAGE_MAX_BUFFER; break;
  case CL_MEM_OBJECT_IMAGE1D_ARRAY: limit[1] = IMAGE_MAX_COUNT; break;
  case CL_MEM_OBJECT_IMAGE3D: limit[0] = limit[1] = IMAGE_MAX_COUNT; break;
  }
  for (int i = 0; i < 3; i++)
    if (size[i] < 1 || size[i] > limit[i]) return CL_INVALID_IMAGE_SIZE;
  return CL_SUCCESS;
}

// Sets the pitches, and the bytes from the first pixel to the end of the last slice. Those of the
// descriptor count where `may_choose`.
static cl_int find_pitches(const cl_image_desc *desc, bool may_choose, size_t element_size,
                           size_t *row_pitch, size_t *slice_pitch, size_t *bytes) {
  size_t size[3], row = desc->image_row_pitch, slice = 0;
  sizes(desc, size);
  bool has_slices = is_array(desc->image_type) || desc->image_type == CL_MEM_OBJECT_IMAGE3D;
  if (has_slices) slice = desc->image_slice_pitch;
  if (!may_choose && (row || slice)) return CL_INVALID_IMAGE_DESCRIPTOR;
  if (!row) row = size[0] * element_size;
  if (row < size[0] * element_size || row % element_size) return CL_INVALID_IMAGE_DESCRIPTOR;
  size_t rows = desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : size[1];
  size_t slices = is_array(desc->image_type) ? desc->image_array_size : size[2], least;
  if (__builtin_mul_overflow(row, rows, &least)) return CL_INVALID_IMAGE_DESCRIPTOR;
  if (!slice) slice = least;
  if (slice < least || slice % row || __builtin_mul_overflow(slice, slices, bytes))
    return CL_INVALID_IMAGE_DESCRIPTOR;
  *row_pitch = row;
  *slice_pitch = has_slices ? slice : 0;
  return CL_SUCCESS;
}

// Checks a 2D image of the pixels of another: it has another order of the same channels.
static cl_int check_view(cl_mem image, const cl_image_format *format, const cl_image_desc *desc) {
  static const cl_channel_order pairs[][2] = {
      {CL_sRGBA, CL_RGBA}, {CL_sBGRA, CL_BGRA}, {CL_DEPTH, CL_R}};
  const cl_image_desc *known = &image->desc;
  if (desc->image_type != CL_MEM_OBJECT_IMAGE2D || image->type != CL_MEM_OBJECT_IMAGE2D ||
      desc->image_width != known->image_width || desc->image_height != known->image_height ||
      (desc->image_row_pitch && desc->image_row_pitch != image->row_pitch))
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (format->image_channel_data_type != image->format.image_channel_data_type)
    return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
  cl_channel_order order = format->image_channel_order, of = image->format.image_channel_order;
  for (size_t i = 0; i < COUNT(pairs); i++)
    if ((order == pairs[i][0] && of == pairs[i][1]) || (order == pairs[i][1] && of == pairs[i][0]))
      return CL_SUCCESS;
  return order == of ? CL_SUCCESS : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
}

static cl_int check_in_buffer(cl_mem buffer, const cl_image_desc *desc, size_t element_size,
                              size_t row_pitch, size_t bytes) {
  bool fits = desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
              desc->image_type == CL_MEM_OBJECT_IMAGE2D;
  if (!fits || buffer->type != CL_MEM_OBJECT_BUFFER) return CL_INVALID_IMAGE_DESCRIPTOR;
  if (desc->image_type == CL_MEM_OBJECT_IMAGE2D &&
      (row_pitch % (IMAGE_PITCH_ALIGNMENT * element_size) ||
       (uintptr_t)buffer->data % (IMAGE_PITCH_ALIGNMENT * element_size)))
    return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
  return bytes <= buffer->size ? CL_SUCCESS : CL_INVALID_IMAGE_SIZE;
}

static float linear[256]; // what the channels of sRGB mean (OpenCL C 3.0, section 8.3.1.1)
static pthread_once_t linear_once = PTHREAD_ONCE_INIT;

static void find_linear(void) {
  for (int i = 0; i < 256; i++) {
    double x = i / 255.0;
    linear[i] = (float)(x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
  }
}

static void write_header(cl_mem image) {
  const struct order *order = find_order(image->format.image_channel_order);
  const struct type *type = find_type(image->format.image_channel_data_type);
  size_t size[3];
  sizes(&image->desc, size);
  bool is_1d_array = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  struct header *header = (struct header *)image->header;
  *header = (struct header){
      .width = (int32_t)size[0],
      .height = is_1d_array ? 1 : (int32_t)size[1],
      .order = (int32_t)order->name,
      .type = (int32_t)type->name,
      .depth = (int32_t)(is_1d_array ? size[1] : size[2]),
      .channels = (int32_t)order->channels,
      .to_color = order->to_color,
      .from_color = order->from_color,
      .first_pixel = image->data - image->header,
      .pitch = (int64_t)image->row_pitch,
      .slice = (int64_t)image->slice_pitch,
      .pixel = (int32_t)image->element_size,
      .packed = type->kind == 'p',
  };
  if (is_srgb(order->name)) {
    pthread_once(&linear_once, find_linear);
    header->linear = (char *)linear - image->header;
  }
  int place = 0;
  for (int i = 3; i >= 0; place += type->bits[i--]) {
    header->place[i] = place;
    header->top[i] = (1 << type->bits[i]) - 1;
  }
}

bool image_format_text(cl_mem image, char *text) {
  const struct header *header = (const struct header *)image->header;
  if (header->packed || header->linear) return false;
  sprintf(text, "%d,%d,%d,%d,%d", header->type, header->channels, header->to_color,
          header->from_color, header->pixel);
  return true;
}

// The descriptor without the fields that images of its type do not have.
static cl_image_desc used_fields(const cl_image_desc *desc) {
  cl_mem_object_type type = desc->image_type;
  bool has_height = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
                    type == CL_MEM_OBJECT_IMAGE3D;
  return (cl_image_desc){
      .image_type = type,
      .image_width = desc->image_width,
      .image_height = has_height ? desc->image_height : 0,
      .image_depth = type == CL_MEM_OBJECT_IMAGE3D ? desc->image_depth : 0,
      .image_array_size = is_array(type) ? desc->image_array_size : 0,
      .mem_object = desc->mem_object,
  };
}

static void copy_rows(char *to, size_t to_row, size_t to_slice, const char *from, size_t from_row,
                      size_t from_slice, const size_t region[3]) {
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      memcpy(to + z * to_slice + y * to_row, from + z * from_slice + y * from_row, region[0]);
}

API cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context,
                                                   const cl_mem_properties *properties,
                                                   cl_mem_flags flags,
                                                   const cl_image_format *format,
                                                   const cl_image_desc *desc, void *host_ptr,
                                                   cl_int *errcode_ret) {
  if (!object_is(context, KIND_CONTEXT)) FAIL(CL_INVALID_CONTEXT);
  if (properties && properties[0]) FAIL(CL_INVALID_PROPERTY); // there are none
  if (!flags_are_valid(flags)) FAIL(CL_INVALID_VALUE);
  if (!format || !is_format(format)) FAIL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  if (!desc || !is_image_type(desc->image_type) || desc->num_mip_levels || desc->num_samples)
    FAIL(CL_INVALID_IMAGE_DESCRIPTOR);
  cl_mem parent = desc->mem_object;
  if (parent ? !is_buffer(parent) && !is_image(parent)
             : desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
    FAIL(CL_INVALID_IMAGE_DESCRIPTOR);
  if (parent && parent->context != context) FAIL(CL_INVALID_CONTEXT);
  cl_int error = parent ? inherit_flags(parent->flags, &flags) : CL_SUCCESS;
  if (error) FAIL(error);
  size_t element_size = image_element_size(format);
  bool is_depth = format->image_channel_order == CL_DEPTH;
  if (!element_size || (is_depth && !has_depths(desc->image_type)))
    FAIL(CL_IMAGE_FORMAT_NOT_SUPPORTED);
  if ((error = check_sizes(desc))) FAIL(error);
  size_t row_pitch, slice_pitch, bytes;
  error = find_pitches(desc, host_ptr || parent, element_size, &row_pitch, &slice_pitch, &bytes);
  if (error) FAIL(error);
  if (!parent && bytes > largest_allocation(context)) FAIL(CL_INVALID_IMAGE_SIZE);
  if (!parent && !host_ptr != !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    FAIL(CL_INVALID_HOST_PTR);
  if (parent && host_ptr) FAIL(CL_INVALID_HOST_PTR);
  if (parent && is_image(parent)) {
    if ((error = check_view(parent, format, desc))) FAIL(error);
    row_pitch = parent->row_pitch;
    bytes = parent->size;
  } else if (parent) {
    error = check_in_buffer(parent, desc, element_size, row_pitch, bytes);
    if (error) FAIL(error);
  }
  cl_mem image = object_new(KIND_MEMORY, sizeof *image);
  if (!image) FAIL(CL_OUT_OF_HOST_MEMORY);
  pthread_mutex_init(&image->lock, NULL);
  image->context = object_keep(context);
  image->type = desc->image_type;
  bool has_access = flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY);
  image->flags = has_access ? flags : flags | CL_MEM_READ_WRITE;
  image->size = bytes;
  image->parent = parent ? object_keep(parent) : NULL;
  image->format = *format;
  image->desc = used_fields(desc);
  image->element_size = element_size;
  image->row_pitch = row_pitch;
  image->slice_pitch = slice_pitch;
  bool has_pixels = !parent && !(flags & CL_MEM_USE_HOST_PTR);
  // Vectorized code may read whole vectors at the end.
  size_t space = HEADER_BYTES + (has_pixels ? bytes + ALIGNMENT : 0);
  space = (space + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  image->allocation = image->header = aligned_alloc(ALIGNMENT, space);
  image->owned = true;
  if (properties) image->properties = calloc(1, sizeof *image->properties); // the final 0
  image->property_count = properties != NULL;
  if (!image->header || (properties && !image->properties)) {
    object_drop(image);
    FAIL(image->header ? CL_OUT_OF_HOST_MEMORY : CL_MEM_OBJECT_ALLOCATION_FAILURE);
  }
  image->data = parent ? parent->data : has_pixels ? image->header + HEADER_BYTES : host_ptr;
  if (flags & CL_MEM_USE_HOST_PTR) image->host_ptr = parent ? parent->host_ptr : host_ptr;
  write_header(image);
  if (!parent && (flags & CL_MEM_COPY_HOST_PTR)) {
    size_t region[3], step = image_row(image);
    sizes(desc, region);
    region[0] *= element_size;
    copy_rows(image->data, step, slice_pitch, host_ptr, step, slice_pitch, region);
  } else if (recording && has_pixels) {
    memset(image->data, 0, bytes); // so that a replay has the same
  }
  if (recording && !parent) record_memory(image);
  MADE(image);
}

API cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                     const cl_image_format *format, const cl_image_desc *desc,
                                     void *host_ptr, cl_int *errcode_ret) {
  return clCreateImageWithProperties(context, NULL, flags, format, desc, host_ptr, errcode_ret);
}

// clCreateImage2D and clCreateImage3D have another error for bad pitches.
static cl_mem create_old(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                         const cl_image_desc *desc, void *host_ptr, cl_int *errcode_ret) {
  cl_int error;
  cl_mem image = clCreateImage(context, flags, format, desc, host_ptr, &error);
  if (!image) FAIL(error == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : error);
  MADE(image);
}

API cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                       const cl_image_format *format, size_t width, size_t height,
                                       size_t row_pitch, void *host_ptr, cl_int *errcode_ret) {
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                        .image_width = width,
                        .image_height = height,
                        .image_row_pitch = row_pitch};
  return create_old(context, flags, format, &desc, host_ptr, errcode_ret);
}

API cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                       const cl_image_format *format, size_t width, size_t height,
                                       size_t depth, size_t row_pitch, size_t slice_pitch,
                                       void *host_ptr, cl_int *errcode_ret) {
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                        .image_width = width,
                        .image_height = height,
                        .image_depth = depth,
                        .image_row_pitch = row_pitch,
                        .image_slice_pitch = slice_pitch};
  if (depth == 1) desc.image_depth = 0; // of this function, an error
  return create_old(context, flags, format, &desc, host_ptr, errcode_ret);
}

API cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info name, size_t size, void *value,
                                      size_t *size_ret) {
  if (!is_image(image)) return CL_INVALID_MEM_OBJECT;
  switch (name) {
  case CL_IMAGE_FORMAT: ANSWER(cl_image_format, image->format);
  case CL_IMAGE_ELEMENT_SIZE: ANSWER(size_t, image->element_size);
  case CL_IMAGE_ROW_PITCH: ANSWER(size_t, image->row_pitch);
  case CL_IMAGE_SLICE_PITCH: ANSWER(size_t, image->slice_pitch);
  case CL_IMAGE_WIDTH: ANSWER(size_t, image->desc.image_width);
  case CL_IMAGE_HEIGHT: ANSWER(size_t, image->desc.image_height);
  case CL_IMAGE_DEPTH: ANSWER(size_t, image->desc.image_depth);
  case CL_IMAGE_ARRAY_SIZE: ANSWER(size_t, image->desc.image_array_size);
  case CL_IMAGE_BUFFER:
    ANSWER(cl_mem, image->parent && is_buffer(image->parent) ? image->parent : NULL);
  case CL_IMAGE_NUM_MIP_LEVELS:
  case CL_IMAGE_NUM_SAMPLES: ANSWER(cl_uint, 0);
  default: return CL_INVALID_VALUE;
  }
}

// ---------------------------------------------------------------------------------- commands

static cl_int check_queue_and_image(cl_command_queue queue, cl_mem image) {
  if (!object_is(queue, KIND_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  if (!is_image(image)) return CL_INVALID_MEM_OBJECT;
  if (image->context != queue->context) return CL_INVALID_CONTEXT;
  return CL_SUCCESS;
}

static cl_int check_region(cl_mem image, const size_t *origin, const size_t *region) {
  if (!origin || !region) return CL_INVALID_VALUE;
  size_t size[3];
  sizes(&image->desc, size);
  for (int i = 0; i < 3; i++)
    if (!region[i] || origin[i] > size[i] || region[i] > size[i] - origin[i])
      return CL_INVALID_VALUE;
  return CL_SUCCESS;
}

// Sets default pitches of the host's memory, where `*row` becomes the bytes between its rows.
static cl_int check_host_pitches(cl_mem image, const size_t region[3], size_t *row,
                                 size_t *slice) {
  size_t least = region[0] * image->element_size;
  bool is_1d_array = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  if (!*row) *row = least;
  if (*row < least || (*slice && !image->slice_pitch)) return CL_INVALID_VALUE;
  least = is_1d_array ? *row : *row * region[1];
  if (!*slice) *slice = least;
  if (*slice < least) return CL_INVALID_VALUE;
  if (is_1d_array) *row = *slice;
  return CL_SUCCESS;
}

// The region in bytes, as submit_rect has it.
static void region_bytes(cl_mem image, const size_t region[3], size_t bytes[3]) {
  memcpy(bytes, region, 3 * sizeof *bytes);
  bytes[0] *= image->element_size;
}

API cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                          const size_t *origin, const size_t *region,
                                          size_t row_pitch, size_t slice_pitch, void *ptr,
                                          cl_uint count, const cl_event *list, cl_event *event) {
  cl_int error = check_queue_and_image(queue, image);
  if (!error) error = check_region(image, origin, region);
  if (!error) error = check_host_pitches(image, region, &row_pitch, &slice_pitch);
  if (error) return error;
  if (!ptr) return CL_INVALID_VALUE;
  if ((error = check_wait_list(queue->context, count, list))) return error;
  if ((error = check_host_access(image, true, false))) return error;
  size_t bytes[3];
  region_bytes(image, region, bytes);
  return submit_rect(queue, CL_COMMAND_READ_IMAGE, ptr, row_pitch, slice_pitch,
                     pixel_at(image, origin), image_row(image), image->slice_pitch, bytes, image,
                     NULL, blocking, count, list, event);
}

API cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                           const size_t *origin, const size_t *region,
                                           size_t row_pitch, size_t slice_pitch, const void *ptr,
                                           cl_uint count, const cl_event *list, cl_event *event) {
  cl_int error = check_queue_and_image(queue, image);
  if (!error) error = check_region(image, origin, region);
  if (!error) error = check_host_pitches(image, region, &row_pitch, &slice_pitch);
  if (error) return error;
  if (!ptr) return CL_INVALID_VALUE;
  if ((error = check_wait_list(queue->context, count, list))) return error;
  if ((error = check_host_access(image, false, true))) return error;
  size_t bytes[3];
  region_bytes(image, region, bytes);
  return submit_rect(queue, CL_COMMAND_WRITE_IMAGE, pixel_at(image, origin), image_row(image),
                     image->slice_pitch, ptr, row_pitch, slice_pitch, bytes, image, NULL, blocking,
                     count, list, event);
}

static bool regions_overlap(const size_t a[3], const size_t b[3], const size_t region[3]) {
  for (int i = 0; i < 3; i++)
    if (a[i] >= b[i] + region[i] || b[i] >= a[i] + region[i]) return false;
  return true;
}

API cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to,
                                          const size_t *from_origin, const size_t *to_origin,
                                          const size_t *region, cl_uint count,
                                          const cl_event *list, cl_event *event) {
  cl_int error = check_queue_and_image(queue, from);
  if (!error) error = check_queue_and_image(queue, to);
  if (error) return error;
  if (memcmp(&from->format, &to->format, sizeof from->format)) return CL_IMAGE_FORMAT_MISMATCH;
  error = check_region(from, from_origin, region);
  if (!error) error = check_region(to, to_origin, region);
  if (!error) error = check_wait_list(queue->context, count, list);
  if (error) return error;
  if (from == to && regions_overlap(from_origin, to_origin, region)) return CL_MEM_COPY_OVERLAP;
  size_t bytes[3];
  region_bytes(from, region, bytes);
  return submit_rect(queue, CL_COMMAND_COPY_IMAGE, pixel_at(to, to_origin), image_row(to),
                     to->slice_pitch, pixel_at(from, from_origin), image_row(from),
                     from->slice_pitch, bytes, from, to, false, count, list, event);
}

// Checks a copy between an image and a buffer, where the region has no gaps.
static cl_int check_with_buffer(cl_command_queue queue, cl_mem image, cl_mem buffer,
                                const size_t *origin, const size_t *region, size_t offset,
                                size_t bytes[3], cl_uint count, const cl_event *list) {
  cl_int error = check_queue_and_image(queue, image);
  if (error) return error;
  if (!is_buffer(buffer)) return CL_INVALID_MEM_OBJECT;
  if (image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER && image->parent == buffer)
    return CL_INVALID_MEM_OBJECT;
  if (buffer->context != queue->context) return CL_INVALID_CONTEXT;
  if ((error = check_region(image, origin, region))) return error;
  region_bytes(image, region, bytes);
  size_t size = bytes[0] * bytes[1] * bytes[2];
  if (offset > buffer->size || size > buffer->size - offset) return CL_INVALID_VALUE;
  return check_wait_list(queue->context, count, list);
}

API cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image,
                                                  cl_mem buffer, const size_t *origin,
                                                  const size_t *region, size_t offset,
                                                  cl_uint count, const cl_event *list,
                                                  cl_event *event) {
  size_t bytes[3];
  cl_int error =
      check_with_buffer(queue, image, buffer, origin, region, offset, bytes, count, list);
  if (error) return error;
  return submit_rect(queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, buffer->data + offset, bytes[0],
                     bytes[0] * bytes[1], pixel_at(image, origin), image_row(image),
                     image->slice_pitch, bytes, image, buffer, false, count, list, event);
}

API cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer,
                                                  cl_mem image, size_t offset,
                                                  const size_t *origin, const size_t *region,
                                                  cl_uint count, const cl_event *list,
                                                  cl_event *event) {
  size_t bytes[3];
  cl_int error =
      check_with_buffer(queue, image, buffer, origin, region, offset, bytes, count, list);
  if (error) return error;
  return submit_rect(queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, pixel_at(image, origin),
                     image_row(image), image->slice_pitch, buffer->data + offset, bytes[0],
                     bytes[0] * bytes[1], bytes, buffer, image, false, count, list, event);
}

API void *CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                        cl_map_flags flags, const size_t *origin,
                                        const size_t *region, size_t *row_pitch,
                                        size_t *slice_pitch, cl_uint count, const cl_event *list,
                                        cl_event *event, cl_int *errcode_ret) {
  cl_int error = check_queue_and_image(queue, image);
  if (!error) error = check_region(image, origin, region);
  if (error) FAIL(error);
  if (!row_pitch || (image->slice_pitch && !slice_pitch)) FAIL(CL_INVALID_VALUE);
  if ((error = check_wait_list(queue->context, count, list))) FAIL(error);
  if ((error = check_map_flags(image, flags))) FAIL(error);
  char *address = pixel_at(image, origin);
  struct mapping mapping = {.address = address, .flags = flags};
  region_bytes(image, region, mapping.region);
  if (!memory_map(image, address, mapping.region, flags)) FAIL(CL_OUT_OF_HOST_MEMORY);
  error = submit_mapping(queue, CL_COMMAND_MAP_IMAGE, image, &mapping, blocking, count, list, event);
  if (error) {
    memory_unmap(image, address, NULL);
    FAIL(error);
  }
  *row_pitch = image->row_pitch;
  if (slice_pitch) *slice_pitch = image->slice_pitch;
  MADE(address);
}

// ------------------------------------------------------------------------------------- fills

struct fill {
  char *to;
  size_t element_size, region[3], row, slice;
  unsigned char pixel[16];
};

static void run_fill(cl_event command, size_t part, struct worker *worker) {
  (void)part, (void)worker;
  const struct fill *fill = command->payload;
  size_t bytes = fill->region[0] * fill->element_size;
  for (size_t z = 0; z < fill->region[2]; z++)
    for (size_t y = 0; y < fill->region[1]; y++) {
      char *row = fill->to + z * fill->slice + y * fill->row;
      if (row == fill->to)
        for (size_t at = 0; at < bytes; at += fill->element_size)
          memcpy(row + at, fill->pixel, fill->element_size);
      else
        memcpy(row, fill->to, bytes);
    }
}

// To the nearest integer, even in the middle. The absolute value is less than 2^22.
static float rounded(float x) {
  volatile float shifted = x + 0x1.8p23f;
  return shifted - 0x1.8p23f;
}

static uint16_t half_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return (uint16_t)(sign | 0x7e00);  // NaN
  if (magnitude >= 0x477ff000) return (uint16_t)(sign | 0x7c00); // rounds to infinity
  if (magnitude < 0x38800000) { // a multiple of 2^-24
    float scaled = x < 0 ? -x * 0x1p24f : x * 0x1p24f;
    return (uint16_t)(sign | (uint32_t)rounded(scaled));
  }
  uint32_t odd = magnitude >> 13 & 1;
  return (uint16_t)(sign | ((magnitude - 0x38000000 + 0xfff + odd) >> 13));
}

// A component of a colour as a normalized integer.
static int32_t normalized(float x, float least, float one) {
  float scaled = x == x ? x * one : 0;
  return (int32_t)rounded(scaled < least ? least : scaled > one ? one : scaled);
}

static unsigned char srgb_of(float x) {
  double encoded = !(x > 0)         ? 0
                   : x < 0.0031308f ? 12.92 * x
                                    : 1.055 * pow(x < 1 ? x : 1, 1 / 2.4) - 0.055;
  return (unsigned char)normalized((float)encoded, 0, 255);
}

// Adds a channel to a packed pixel; the earlier ones are there.
static void encode_packed(const struct type *type, unsigned channel, const void *component,
                          unsigned char *pixel) {
  float x;
  uint32_t word = 0;
  memcpy(&x, component, 4);
  memcpy(&word, pixel, type->bytes);
  unsigned bits = type->bits[channel];
  word = word << bits | (uint32_t)normalized(x, 0, (float)((1 << bits) - 1));
  memcpy(pixel, &word, type->bytes);
}

// What a kernel's write_image* writes to a channel for one component of the colour.
static void encode(const struct type *type, const void *component, unsigned char *to) {
  float x;
  int32_t i;
  uint32_t n;
  memcpy(&x, component, 4);
  memcpy(&i, component, 4);
  memcpy(&n, component, 4);
  int bits = (int)type->bytes * 8;
  switch (type->kind) {
  case 'f': n = type->bytes == 2 ? half_of(x) : n; break;
  case 'u': n = (uint32_t)normalized(x, 0, (float)((1 << bits) - 1)); break;
  case 's': {
    float one = (float)((1 << (bits - 1)) - 1);
    n = (uint32_t)normalized(x, -one - 1, one);
    break;
  }
  case 'i':
    if (bits < 32) {
      int32_t most = (1 << (bits - 1)) - 1;
      n = (uint32_t)(i > most ? most : i < -most - 1 ? -most - 1 : i);
    }
    break;
  case 'n':
    if (bits < 32 && n >> bits) n = (1u << bits) - 1;
    break;
  }
  memcpy(to, &n, type->bytes); // little-endian
}

API cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *color,
                                          const size_t *origin, const size_t *region,
                                          cl_uint count, const cl_event *list, cl_event *event) {
  cl_int error = check_queue_and_image(queue, image);
  if (!error && !color) error = CL_INVALID_VALUE;
  if (!error) error = check_region(image, origin, region);
  if (!error) error = check_wait_list(queue->context, count, list);
  if (error) return error;
  cl_event command = command_new(queue, CL_COMMAND_FILL_IMAGE, sizeof(struct fill));
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  if (!command_hold(command, image)) {
    command_abandon(command);
    return CL_OUT_OF_HOST_MEMORY;
  }
  struct fill *fill = command->payload;
  *fill = (struct fill){.to = pixel_at(image, origin),
                        .element_size = image->element_size,
                        .region = {region[0], region[1], region[2]},
                        .row = image_row(image),
                        .slice = image->slice_pitch};
  const struct order *order = find_order(image->format.image_channel_order);
  const struct type *type = find_type(image->format.image_channel_data_type);
  for (unsigned i = 0; i < order->channels; i++) {
    const char *component = (const char *)color + 4 * (order->from_color >> 4 * i & 15);
    float x;
    memcpy(&x, component, sizeof x);
    if (is_srgb(order->name) && i < 3)
      fill->pixel[i] = srgb_of(x);
    else if (type->kind == 'p')
      encode_packed(type, i, component, fill->pixel);
    else
      encode(type, component, fill->pixel + i * type->bytes);
  }
  command->task.run = run_fill;
  if (recording) { // as a write of what the image has after it
    size_t bytes[3];
    region_bytes(image, region, bytes);
    record_rect(command, fill->to, fill->row, fill->slice, fill->to, fill->row, fill->slice, bytes,
                image, NULL);
  }
  bool short_ = region[0] * region[1] * region[2] * image->element_size <= 16 << 10;
  return command_submit(command, count, list, short_, false, event);
}

// ---------------------------------------------------------------------------------- samplers

static cl_sampler make_sampler(cl_context context, cl_bool normalized,
                               cl_addressing_mode addressing, cl_filter_mode filter,
                               cl_int *errcode_ret) {
  if ((normalized != CL_TRUE && normalized != CL_FALSE) || addressing < CL_ADDRESS_NONE ||
      addressing > CL_ADDRESS_MIRRORED_REPEAT ||
      (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR))
    FAIL(CL_INVALID_VALUE);
  cl_sampler sampler = object_new(KIND_SAMPLER, sizeof *sampler);
  if (!sampler) FAIL(CL_OUT_OF_HOST_MEMORY);
  sampler->context = object_keep(context);
  sampler->normalized = normalized;
  sampler->addressing = addressing;
  sampler->filter = filter;
  // CLK_NORMALIZED_COORDS_TRUE is 1, CLK_ADDRESS_* are 0, 2, 4, 6, 8 in the order of CL_ADDRESS_*,
  // CLK_FILTER_NEAREST is 0x10 and CLK_FILTER_LINEAR 0x20.
  sampler->bits = normalized | (addressing - CL_ADDRESS_NONE) << 1 |
                  (filter == CL_FILTER_NEAREST ? 0x10u : 0x20u);
  MADE(sampler);
}

API cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized,
                                           cl_addressing_mode addressing, cl_filter_mode filter,
                                           cl_int *errcode_ret) {
  if (!object_is(context, KIND_CONTEXT)) FAIL(CL_INVALID_CONTEXT);
  return make_sampler(context, normalized, addressing, filter, errcode_ret);
}

API cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                         const cl_sampler_properties *properties,
                                                         cl_int *errcode_ret) {
  if (!object_is(context, KIND_CONTEXT)) FAIL(CL_INVALID_CONTEXT);
  // In the order of the names' values.
  cl_sampler_properties values[3] = {CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST};
  bool seen[3] = {false};
  size_t count = 0;
  for (; properties && properties[count]; count += 2) {
    cl_sampler_properties place = properties[count] - CL_SAMPLER_NORMALIZED_COORDS;
    if (place > 2 || seen[place] || properties[count + 1] > UINT32_MAX) FAIL(CL_INVALID_VALUE);
    values[place] = properties[count + 1];
    seen[place] = true;
  }
  cl_sampler sampler = make_sampler(context, (cl_bool)values[0], (cl_addressing_mode)values[1],
                                    (cl_filter_mode)values[2], errcode_ret);
  if (!sampler || !properties) return sampler;
  sampler->property_count = count + 1;
  sampler->properties = malloc(sampler->property_count * sizeof *properties);
  if (!sampler->properties) {
    object_drop(sampler);
    FAIL(CL_OUT_OF_HOST_MEMORY);
  }
  memcpy(sampler->properties, properties, sampler->property_count * sizeof *properties);
  return sampler;
}

API cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
  return object_retain(sampler, KIND_SAMPLER, CL_INVALID_SAMPLER);
}

API cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
  return object_release(sampler, KIND_SAMPLER, CL_INVALID_SAMPLER);
}

API cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info name, size_t size,
                                        void *value, size_t *size_ret) {
  if (!object_is(sampler, KIND_SAMPLER)) return CL_INVALID_SAMPLER;
  switch (name) {
  case CL_SAMPLER_REFERENCE_COUNT: ANSWER(cl_uint, object_references(sampler));
  case CL_SAMPLER_CONTEXT: ANSWER(cl_context, sampler->context);
  case CL_SAMPLER_NORMALIZED_COORDS: ANSWER(cl_bool, sampler->normalized);
  case CL_SAMPLER_ADDRESSING_MODE: ANSWER(cl_addressing_mode, sampler->addressing);
  case CL_SAMPLER_FILTER_MODE: ANSWER(cl_filter_mode, sampler->filter);
  case CL_SAMPLER_PROPERTIES:
    return answer(size, value, size_ret, sampler->properties,
                  sampler->property_count * sizeof *sampler->properties);
  default: return CL_INVALID_VALUE;
  }
}

void sampler_destroy(cl_sampler sampler) {
  free(sampler->properties);
  object_drop(sampler->context);
}

// ------------------------------------------------------------------------------ one block

static size_t linear_offset(cl_mem image) {
  return (HEADER_BYTES + image->size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

size_t image_block_size(cl_mem image) {
  bool has_linear = ((struct header *)image->header)->linear;
  return has_linear ? linear_offset(image) + sizeof linear : HEADER_BYTES + image->size;
}

void image_to_block(cl_mem image, char *block) {
  memcpy(block, image->header, HEADER_BYTES);
  struct header *header = (struct header *)block;
  header->first_pixel = HEADER_BYTES;
  memcpy(block + HEADER_BYTES, image->data, image->size);
  if (!header->linear) return;
  header->linear = (int64_t)linear_offset(image);
  memcpy(block + header->linear, linear, sizeof linear);
}

void image_from_block(cl_mem image, const char *block) {
  memcpy(image->data, block + HEADER_BYTES, image->size);
}
