// What the operations on images do: sections 6.12.14 and 8 of OpenCL 1.2, word for word.
//
// `ocl-expand-images` calls these functions (`image.` in front of their names); it reads them as
// IR from image_functions.mlir, which
// `ocl-opt image_functions.cl` writes. An image is a header in memory (below; the Python class
// polycl.Image and the OpenCL driver's image.c write it), and the pixels, row by row, at some
// distance from it: they may be in a buffer or another image.
// Where places have three coordinates, z is the third one or the number of an array's image; rows
// of a one-dimensional image are the only one of theirs.

typedef struct {
  int width, height; // in pixels
  int order, type;   // CLK_R, ...; CLK_UNORM_INT8, ...
  int depth;         // in pixels; of an array: the number of its images
  int channels;      // of a pixel in memory
  int to_color;      // 4 bits for each of r g b a: the channel it is read from, 4: zero, 5: one
  int from_color;    // 4 bits for each channel: which of r g b a is written to it
  long first_pixel;  // bytes from the header to it
  long pitch, slice; // bytes from a row, and from an image, to the next
  int pixel;         // bytes of a pixel
  int packed;        // whether all channels are in one number
  int place[4];      // of a packed channel: its lowest bit
  int top[4];        // of a packed channel: its largest value
  long linear;       // bytes from the header to 256 floats: what sRGB channels mean; 0: it has none
} Header;

#define IN_ORDER 0x3210 // of to_color
#define NORMALIZED 1
#define ADDRESS 0xe
#define LINEAR 0x20

static global uchar *pixel(global uchar *image, int4 at) {
  global Header *h = (global Header *)image;
  return image + (h->first_pixel + at.z * h->slice + at.y * h->pitch + at.x * h->pixel);
}

// A pixel outside has the border colour: zero, with alpha one where the image has no alpha.
static bool inside(global uchar *image, int4 at) {
  global Header *h = (global Header *)image;
  return at.x >= 0 && at.x < h->width && at.y >= 0 && at.y < h->height && at.z >= 0 &&
         at.z < h->depth;
}

static float packed_channel(global Header *h, global uchar *p, int channel) {
  int word = h->pixel == 2 ? *(global ushort *)p : *(global int *)p;
  return (float)(word >> h->place[channel] & h->top[channel]) / (float)h->top[channel];
}

// Section 8.3.1.1: how a channel is read as a float.
static float channel_as_float(global Header *h, global uchar *p, int channel) {
  switch (h->type) {
  case CLK_SNORM_INT8:
    return fmax(((global char *)p)[channel] / 127.0f, -1.0f);
  case CLK_UNORM_INT8:
    if (h->linear && channel < 3)
      return ((global float *)((global uchar *)h + h->linear))[p[channel]];
    return p[channel] / 255.0f;
  case CLK_SNORM_INT16:
    return fmax(((global short *)p)[channel] / 32767.0f, -1.0f);
  case CLK_UNORM_INT16:
    return ((global ushort *)p)[channel] / 65535.0f;
  case CLK_HALF_FLOAT:
    return vload_half(channel, (global half *)p);
  case CLK_FLOAT:
    return ((global float *)p)[channel];
  default:
    return h->packed ? packed_channel(h, p, channel) : 0.0f;
  }
}

// Integers read from an image of floats are undefined. Programs that keep a double in a pixel of two
// floats expect the bits, which is what GPUs read.
static int channel_as_int(global uchar *p, int type, int channel) {
  switch (type) {
  case CLK_SIGNED_INT8:
    return ((global char *)p)[channel];
  case CLK_UNSIGNED_INT8:
    return p[channel];
  case CLK_SIGNED_INT16:
    return ((global short *)p)[channel];
  case CLK_UNSIGNED_INT16:
    return ((global ushort *)p)[channel];
  case CLK_SIGNED_INT32:
  case CLK_UNSIGNED_INT32:
  case CLK_FLOAT:
    return ((global int *)p)[channel];
  default:
    return 0;
  }
}

// Loops keep the code small: it is inlined wherever an image is read.
static float4 texel_f(global uchar *image, int sampler, int4 at) {
  global Header *h = (global Header *)image;
  float8 sources = (float8)(0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f);
  if (inside(image, at)) {
    global uchar *p = pixel(image, at);
    for (int channel = 0; channel < h->channels; ++channel)
      sources[channel] = channel_as_float(h, p, channel);
  }
  if (h->to_color == IN_ORDER)
    return sources.lo;
  float4 color;
  for (int place = 0; place < 4; ++place)
    color[place] = sources[h->to_color >> (place * 4) & 15];
  return color;
}

static int4 texel_i(global uchar *image, int sampler, int4 at) {
  global Header *h = (global Header *)image;
  int8 sources = (int8)(0, 0, 0, 0, 0, 1, 0, 0);
  if (inside(image, at)) {
    global uchar *p = pixel(image, at);
    for (int channel = 0; channel < h->channels; ++channel)
      sources[channel] = channel_as_int(p, h->type, channel);
  }
  if (h->to_color == IN_ORDER)
    return sources.lo;
  int4 color;
  for (int place = 0; place < 4; ++place)
    color[place] = sources[h->to_color >> (place * 4) & 15];
  return color;
}

// Of images whose format is known (`known_images.py`): what follows from it are constants there, and
// these functions become a few operations without loops.
static float chosen_f(int source, float c0, float c1, float c2, float c3) {
  return source < 2 ? (source == 0 ? c0 : c1)
                    : (source < 4 ? (source == 2 ? c2 : c3) : (source == 5 ? 1.0f : 0.0f));
}

static int chosen_i(int source, int c0, int c1, int c2, int c3) {
  return source < 2 ? (source == 0 ? c0 : c1)
                    : (source < 4 ? (source == 2 ? c2 : c3) : (source == 5 ? 1 : 0));
}

static bool leads_inside(int mode) {
  return mode == CLK_ADDRESS_CLAMP_TO_EDGE || mode == CLK_ADDRESS_REPEAT ||
         mode == CLK_ADDRESS_MIRRORED_REPEAT;
}

static float4 known_texel_f(global uchar *image, int sampler, int4 at) {
  global Header *h = (global Header *)image;
  float c0 = 0.0f, c1 = 0.0f, c2 = 0.0f, c3 = 0.0f;
  if (leads_inside(sampler & ADDRESS) || inside(image, at)) {
    global uchar *p = pixel(image, at);
    c0 = channel_as_float(h, p, 0);
    if (h->channels > 1)
      c1 = channel_as_float(h, p, 1);
    if (h->channels > 2)
      c2 = channel_as_float(h, p, 2);
    if (h->channels > 3)
      c3 = channel_as_float(h, p, 3);
  }
  return (float4)(chosen_f(h->to_color & 15, c0, c1, c2, c3),
                  chosen_f(h->to_color >> 4 & 15, c0, c1, c2, c3),
                  chosen_f(h->to_color >> 8 & 15, c0, c1, c2, c3),
                  chosen_f(h->to_color >> 12 & 15, c0, c1, c2, c3));
}

static int4 known_texel_i(global uchar *image, int sampler, int4 at) {
  global Header *h = (global Header *)image;
  int c0 = 0, c1 = 0, c2 = 0, c3 = 0;
  if (leads_inside(sampler & ADDRESS) || inside(image, at)) {
    global uchar *p = pixel(image, at);
    c0 = channel_as_int(p, h->type, 0);
    if (h->channels > 1)
      c1 = channel_as_int(p, h->type, 1);
    if (h->channels > 2)
      c2 = channel_as_int(p, h->type, 2);
    if (h->channels > 3)
      c3 = channel_as_int(p, h->type, 3);
  }
  return (int4)(chosen_i(h->to_color & 15, c0, c1, c2, c3),
                chosen_i(h->to_color >> 4 & 15, c0, c1, c2, c3),
                chosen_i(h->to_color >> 8 & 15, c0, c1, c2, c3),
                chosen_i(h->to_color >> 12 & 15, c0, c1, c2, c3));
}

// Table 8.1: the address modes that work on integers; -1 and `size` are outside.
static int address(int at, int size, int mode) {
  if (mode == CLK_ADDRESS_CLAMP_TO_EDGE)
    return clamp(at, 0, size - 1);
  if (mode == CLK_ADDRESS_CLAMP)
    return clamp(at, -1, size);
  return at;
}

// Section 8.2: a coordinate in pixels, by the address mode.
static float unnormalized(float s, int size, int sampler) {
  int mode = sampler & ADDRESS;
  if (!(sampler & NORMALIZED))
    return s;
  if (mode == CLK_ADDRESS_REPEAT)
    return (s - floor(s)) * size;
  if (mode == CLK_ADDRESS_MIRRORED_REPEAT)
    return fabs(s - 2.0f * rint(0.5f * s)) * size;
  return s * size;
}

static int nearest(float s, int size, int sampler) {
  int mode = sampler & ADDRESS;
  int at = convert_int_sat(floor(unnormalized(s, size, sampler)));
  if (mode == CLK_ADDRESS_REPEAT)
    return at > size - 1 ? at - size : at;
  if (mode == CLK_ADDRESS_MIRRORED_REPEAT)
    return min(at, size - 1);
  return address(at, size, mode);
}

// The two pixels that a linear filter mixes in one dimension.
static int2 neighbours(float u, int size, int sampler) {
  int mode = sampler & ADDRESS;
  int low = convert_int_sat(floor(u - 0.5f));
  int high = add_sat(low, 1);
  if (mode == CLK_ADDRESS_REPEAT)
    return (int2)(low < 0 ? low + size : low, high > size - 1 ? high - size : high);
  if (mode == CLK_ADDRESS_MIRRORED_REPEAT)
    return (int2)(max(low, 0), min(high, size - 1));
  return (int2)(address(low, size, mode), address(high, size, mode));
}

// Section 8.2: the pixel, or the weighted sum of the four pixels around the place, in one image.
float4 read_float(global uchar *image, int sampler, float2 at, int layer) {
  global Header *h = (global Header *)image;
  int2 i = (int2)(nearest(at.x, h->width, sampler)), j = (int2)(nearest(at.y, h->height, sampler));
  float4 weights = (float4)(1.0f);
  int count = 1;
  if (sampler & LINEAR) {
    float u = unnormalized(at.x, h->width, sampler), v = unnormalized(at.y, h->height, sampler);
    i = neighbours(u, h->width, sampler);
    j = neighbours(v, h->height, sampler);
    float a = (u - 0.5f) - floor(u - 0.5f), b = (v - 0.5f) - floor(v - 0.5f);
    weights = (float4)((1.0f - a) * (1.0f - b), a * (1.0f - b), (1.0f - a) * b, a * b);
    count = 4;
  }
  float4 sum = weights.x * texel_f(image, sampler, (int4)(i.x, j.x, layer, 0));
  for (int k = 1; k < count; ++k)
    sum += weights[k] *
           texel_f(image, sampler, (int4)(k & 1 ? i.y : i.x, k & 2 ? j.y : j.x, layer, 0));
  return sum;
}

float4 known_read_float(global uchar *image, int sampler, float2 at, int layer) {
  global Header *h = (global Header *)image;
  if (!(sampler & LINEAR))
    return texel_f(image, sampler,
                   (int4)(nearest(at.x, h->width, sampler), nearest(at.y, h->height, sampler), layer,
                          0));
  float u = unnormalized(at.x, h->width, sampler), v = unnormalized(at.y, h->height, sampler);
  int2 i = neighbours(u, h->width, sampler), j = neighbours(v, h->height, sampler);
  float a = (u - 0.5f) - floor(u - 0.5f), b = (v - 0.5f) - floor(v - 0.5f);
  float4 sum = (1.0f - a) * (1.0f - b) * texel_f(image, sampler, (int4)(i.x, j.x, layer, 0));
  sum += a * (1.0f - b) * texel_f(image, sampler, (int4)(i.y, j.x, layer, 0));
  sum += (1.0f - a) * b * texel_f(image, sampler, (int4)(i.x, j.y, layer, 0));
  sum += a * b * texel_f(image, sampler, (int4)(i.y, j.y, layer, 0));
  return sum;
}

int4 read_int(global uchar *image, int sampler, float2 at, int layer) {
  global Header *h = (global Header *)image;
  return texel_i(image, sampler,
                 (int4)(nearest(at.x, h->width, sampler), nearest(at.y, h->height, sampler), layer, 0));
}

static int4 nearest_in_space(global uchar *image, int sampler, float4 at) {
  global Header *h = (global Header *)image;
  return (int4)(nearest(at.x, h->width, sampler), nearest(at.y, h->height, sampler),
                nearest(at.z, h->depth, sampler), 0);
}

// The same in an image of three dimensions, with eight pixels.
float4 space_float(global uchar *image, int sampler, float4 at) {
  global Header *h = (global Header *)image;
  if (!(sampler & LINEAR))
    return texel_f(image, sampler, nearest_in_space(image, sampler, at));
  float u = unnormalized(at.x, h->width, sampler), v = unnormalized(at.y, h->height, sampler),
        w = unnormalized(at.z, h->depth, sampler);
  int2 i = neighbours(u, h->width, sampler), j = neighbours(v, h->height, sampler),
       k = neighbours(w, h->depth, sampler);
  float a = (u - 0.5f) - floor(u - 0.5f), b = (v - 0.5f) - floor(v - 0.5f),
        c = (w - 0.5f) - floor(w - 0.5f);
  float4 sum = (float4)(0.0f);
  for (int n = 0; n < 8; ++n) {
    float weight = (n & 1 ? a : 1.0f - a) * (n & 2 ? b : 1.0f - b) * (n & 4 ? c : 1.0f - c);
    int4 place = (int4)(n & 1 ? i.y : i.x, n & 2 ? j.y : j.x, n & 4 ? k.y : k.x, 0);
    sum += weight * texel_f(image, sampler, place);
  }
  return sum;
}

int4 space_int(global uchar *image, int sampler, float4 at) {
  return texel_i(image, sampler, nearest_in_space(image, sampler, at));
}

// Section 8.4: which image of an array is read.
int layer_float(global uchar *image, float number) {
  return clamp(convert_int_sat(rint(number)), 0, ((global Header *)image)->depth - 1);
}

int layer_int(global uchar *image, int number) {
  return clamp(number, 0, ((global Header *)image)->depth - 1);
}

static int4 at_pixel(global uchar *image, int sampler, int4 at) {
  global Header *h = (global Header *)image;
  int mode = sampler & ADDRESS;
  return (int4)(address(at.x, h->width, mode), address(at.y, h->height, mode),
                address(at.z, h->depth, mode), 0);
}

float4 fetch_float(global uchar *image, int sampler, int4 at) {
  return texel_f(image, sampler, at_pixel(image, sampler, at));
}

int4 fetch_int(global uchar *image, int sampler, int4 at) {
  return texel_i(image, sampler, at_pixel(image, sampler, at));
}

static float component_f(float4 color, int place) {
  return place < 2 ? (place == 0 ? color.x : color.y) : (place == 2 ? color.z : color.w);
}

static int component_i(int4 color, int place) {
  return place < 2 ? (place == 0 ? color.x : color.y) : (place == 2 ? color.z : color.w);
}

// Section 8.3.1.2: how a float is written to a channel that is a number of its own.
static void put_float(global Header *h, global uchar *p, int channel, float x) {
  switch (h->type) {
  case CLK_SNORM_INT8:
    ((global char *)p)[channel] = convert_char_sat_rte(x * 127.0f);
    break;
  case CLK_UNORM_INT8:
    p[channel] = convert_uchar_sat_rte(x * 255.0f);
    break;
  case CLK_SNORM_INT16:
    ((global short *)p)[channel] = convert_short_sat_rte(x * 32767.0f);
    break;
  case CLK_UNORM_INT16:
    ((global ushort *)p)[channel] = convert_ushort_sat_rte(x * 65535.0f);
    break;
  case CLK_HALF_FLOAT:
    vstore_half_rte(x, channel, (global half *)p);
    break;
  case CLK_FLOAT:
    ((global float *)p)[channel] = x;
    break;
  }
}

// What lies outside is not written.
void write_float(global uchar *image, int4 at, float4 color) {
  global Header *h = (global Header *)image;
  if (!inside(image, at))
    return;
  global uchar *p = pixel(image, at);
  int word = 0; // if it is packed
  for (int channel = 0; channel < h->channels; ++channel) {
    float x = component_f(color, h->from_color >> (channel * 4) & 15);
    if (h->packed) {
      x = clamp(x * h->top[channel], 0.0f, (float)h->top[channel]);
      word |= convert_int_rte(x) << h->place[channel];
    } else {
      put_float(h, p, channel, x);
    }
  }
  if (h->packed && h->pixel == 2)
    *(global ushort *)p = word;
  else if (h->packed)
    *(global int *)p = word;
}

static void put_int(global Header *h, global uchar *p, int channel, int x) {
  switch (h->type) {
  case CLK_SIGNED_INT8:
    ((global char *)p)[channel] = convert_char_sat(x);
    break;
  case CLK_UNSIGNED_INT8:
    p[channel] = convert_uchar_sat((uint)x);
    break;
  case CLK_SIGNED_INT16:
    ((global short *)p)[channel] = convert_short_sat(x);
    break;
  case CLK_UNSIGNED_INT16:
    ((global ushort *)p)[channel] = convert_ushort_sat((uint)x);
    break;
  case CLK_SIGNED_INT32:
  case CLK_UNSIGNED_INT32:
    ((global int *)p)[channel] = x;
    break;
  }
}

void write_int(global uchar *image, int4 at, int4 color) {
  global Header *h = (global Header *)image;
  if (!inside(image, at))
    return;
  global uchar *p = pixel(image, at);
  for (int channel = 0; channel < h->channels; ++channel)
    put_int(h, p, channel, component_i(color, h->from_color >> (channel * 4) & 15));
}

void known_write_float(global uchar *image, int4 at, float4 color) {
  global Header *h = (global Header *)image;
  if (!inside(image, at))
    return;
  global uchar *p = pixel(image, at);
  put_float(h, p, 0, component_f(color, h->from_color & 15));
  if (h->channels > 1)
    put_float(h, p, 1, component_f(color, h->from_color >> 4 & 15));
  if (h->channels > 2)
    put_float(h, p, 2, component_f(color, h->from_color >> 8 & 15));
  if (h->channels > 3)
    put_float(h, p, 3, component_f(color, h->from_color >> 12 & 15));
}

void known_write_int(global uchar *image, int4 at, int4 color) {
  global Header *h = (global Header *)image;
  if (!inside(image, at))
    return;
  global uchar *p = pixel(image, at);
  put_int(h, p, 0, component_i(color, h->from_color & 15));
  if (h->channels > 1)
    put_int(h, p, 1, component_i(color, h->from_color >> 4 & 15));
  if (h->channels > 2)
    put_int(h, p, 2, component_i(color, h->from_color >> 8 & 15));
  if (h->channels > 3)
    put_int(h, p, 3, component_i(color, h->from_color >> 12 & 15));
}

int query(global uchar *image, int field) { return ((global int *)image)[field]; }
