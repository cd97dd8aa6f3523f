// Everyday loops whose speed depends on what accesses and branches cost. FORM chooses among
// spellings of one computation.
#ifndef FORM
#define FORM 0
#endif

// Covariances of the columns of a matrix with n rows and m columns.
kernel void covariance(global float *result, global const float *data, int n, int m)
{
  int a = get_global_id(0);
#if FORM == 3
  if (a >= m)
    return;
  for (int b = a; b < m; b++) {
    result[a * m + b] = 0;
    for (int i = 0; i < n; i++)
      result[a * m + b] += data[i * m + a] * data[i * m + b];
    result[b * m + a] = result[a * m + b];
  }
#else
#if FORM == 0
  for (int b = a; b < m; b++) {
#elif FORM == 1
  for (int b = 0; b <= a; b++) {
#else
  for (int b = 0; b < m; b++) {
#endif
    float sum = 0;
    for (int i = 0; i < n; i++)
      sum += data[i * m + a] * data[i * m + b];
    result[a * m + b] = sum;
    result[b * m + a] = sum;
  }
#endif
}

// Squares of the distances between n points of 3 or `dims` coordinates.
kernel void distances(global float *result, global const float *p, int n, int dims)
{
  int i = get_global_id(0);
#if FORM == 0
  for (int j = 0; j < n; j++) {
    float d = 0;
    for (int k = 0; k < dims; k++) {
      float t = p[i * dims + k] - p[j * dims + k];
      d += t * t;
    }
    result[i * n + j] = d;
  }
#elif FORM == 1
  for (int j = 0; j < n; j++) {
    float x = p[3 * i] - p[3 * j], y = p[3 * i + 1] - p[3 * j + 1],
          z = p[3 * i + 2] - p[3 * j + 2];
    result[i * n + j] = x * x + y * y + z * z;
  }
#elif FORM == 2
  float x0 = p[3 * i], y0 = p[3 * i + 1], z0 = p[3 * i + 2];
  for (int j = 0; j < n; j++) {
    float x = x0 - p[3 * j], y = y0 - p[3 * j + 1], z = z0 - p[3 * j + 2];
    result[i * n + j] = x * x + y * y + z * z;
  }
#else
  int j = get_global_id(1);
  float d = 0;
  for (int k = 0; k < dims; k++)
    d += (p[i * dims + k] - p[j * dims + k]) * (p[i * dims + k] - p[j * dims + k]);
  result[j * n + i] = d;
#endif
}

// The nearest of m centres with `dims` coordinates for each of n points.
kernel void nearest(global int *result, global const float *p, global const float *centres, int m,
                    int dims)
{
  int i = get_global_id(0), best = 0;
  float least = MAXFLOAT;
  for (int c = 0; c < m; c++) {
    float d = 0;
    for (int k = 0; k < dims; k++) {
#if FORM == 0
      float t = p[i * dims + k] - centres[c * dims + k];
#else
      float t = p[k * get_global_size(0) + i] - centres[c * dims + k];
#endif
      d += t * t;
    }
    if (d < least) {
      least = d;
      best = c;
    }
  }
  result[i] = best;
}

// Brightness and contrast of bytes, saturated.
kernel void contrast(global uchar *out, global const uchar *in, int low, int high)
{
#if FORM >= 4
  low = 0;
  high = 255;
#endif
  int i = get_global_id(0);
  int v = (in[i] - 128) * 3 / 2 + 140;
#if FORM % 4 == 0
  if (v < low)
    v = low;
  else if (v > high)
    v = high;
#elif FORM % 4 == 1
  v = v < low ? low : v > high ? high : v;
#elif FORM % 4 == 2
  v = clamp(v, low, high);
#else
  if (v < low)
    v = low;
  if (v > high)
    v = high;
#endif
  out[i] = v;
}

// Pixels of three bytes: a sepia filter.
kernel void sepia(global uchar *out, global const uchar *in)
{
  int i = get_global_id(0);
#if FORM == 0
  int r = in[3 * i], g = in[3 * i + 1], b = in[3 * i + 2];
#elif FORM == 1
  uchar3 p = vload3(i, in);
  int r = p.x, g = p.y, b = p.z;
#else
  global const uchar *p = in + i * 3;
  int r = p[0], g = p[1], b = p[2];
#endif
  int y = (r * 101 + g * 197 + b * 48) >> 8, u = (r * 89 + g * 176 + b * 43) >> 8,
      w = (r * 70 + g * 137 + b * 34) >> 8;
#if FORM == 1
  vstore3(convert_uchar3_sat((int3)(y, u, w)), i, out);
#else
  out[3 * i] = min(y, 255);
  out[3 * i + 1] = u > 255 ? 255 : u;
  out[3 * i + 2] = w > 255 ? 255 : w;
#endif
}

// A mean of the two channels of interleaved samples.
kernel void mono(global short *out, global const short *in)
{
  int i = get_global_id(0);
#if FORM == 0
  out[i] = (in[2 * i] + in[2 * i + 1]) / 2;
#elif FORM == 1
  short2 v = ((global const short2 *)in)[i];
  out[i] = (v.x + v.y) / 2;
#else
  out[i] = (in[2 * i] + in[2 * i + 1]) >> 1;
#endif
}

// Alpha blending of pixels of four bytes.
kernel void blend(global uchar4 *out, global const uchar4 *a, global const uchar4 *b)
{
  int i = get_global_id(0);
#if FORM == 0
  uint4 x = convert_uint4(a[i]), y = convert_uint4(b[i]);
  uint4 v = (x * x.w + y * (255 - x.w)) >> 8;
  out[i] = convert_uchar4(v);
#else
  global const uchar *p = (global const uchar *)a + 4 * i, *q = (global const uchar *)b + 4 * i;
  global uchar *r = (global uchar *)out + 4 * i;
  for (int c = 0; c < 4; c++)
    r[c] = (p[c] * p[3] + q[c] * (255 - p[3])) >> 8;
#endif
}

// The median of nine values, sorted in an array.
kernel void median(global float *out, global const float *in, int width)
{
  int x = get_global_id(0), y = get_global_id(1);
  float v[9];
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      v[3 * j + i] = in[(y + j) * (width + 2) + x + i];
#if FORM == 0
  for (int i = 0; i < 5; i++)
    for (int j = i + 1; j < 9; j++)
      if (v[j] < v[i]) {
        float t = v[i];
        v[i] = v[j];
        v[j] = t;
      }
#elif FORM == 1
  for (int i = 0; i < 5; i++) {
    int least = i;
    for (int j = i + 1; j < 9; j++)
      if (v[j] < v[least])
        least = j;
    float t = v[i];
    v[i] = v[least];
    v[least] = t;
  }
#else
  for (int i = 1; i < 9; i++) {
    float t = v[i];
    int j = i - 1;
    while (j >= 0 && v[j] > t) {
      v[j + 1] = v[j];
      j--;
    }
    v[j + 1] = t;
  }
#endif
  out[y * width + x] = v[4];
}

// How often each of 16 values is among the `count` bytes of a work-item; the most frequent one.
kernel void mode(global int *out, global const uchar *in, int count)
{
  int i = get_global_id(0);
  int counts[16];
  for (int k = 0; k < 16; k++)
    counts[k] = 0;
  for (int k = 0; k < count; k++)
#if FORM == 0
    counts[in[k * get_global_size(0) + i] & 15]++;
#else
    counts[in[i * count + k] & 15]++;
#endif
  int best = 0;
  for (int k = 1; k < 16; k++)
    if (counts[k] > counts[best])
      best = k;
  out[i] = best;
}

// A tone curve: which piece a value is in decides what is computed.
kernel void curve(global float *out, global const float *in, float low, float high)
{
  int i = get_global_id(0);
  float v = in[i], r;
#if FORM == 0
  if (v < low)
    r = v * 0.5f;
  else if (v < high)
    r = low * 0.5f + (v - low) * 1.5f;
  else
    r = 1 - (1 - v) * (1 - v);
#elif FORM == 1
  r = v < low ? v * 0.5f : v < high ? low * 0.5f + (v - low) * 1.5f : 1 - (1 - v) * (1 - v);
#else
  r = v * 0.5f;
  if (v >= low)
    r = low * 0.5f + (v - low) * 1.5f;
  if (v >= high)
    r = 1 - (1 - v) * (1 - v);
#endif
  out[i] = r;
}

// The same in a loop whose iterations follow from each other.
kernel void chain(global float *out, global const float *in, int n)
{
  int i = get_global_id(0);
  float best = 0, current = 0;
  for (int k = 0; k < n; k++) {
    float v = in[i * n + k] - 0.5f;
#if FORM == 0
    if (current > 0)
      current += v;
    else
      current = v;
    if (current > best)
      best = current;
#else
    current = fmax(current, 0.0f) + v;
    best = fmax(best, current);
#endif
  }
  out[i] = best;
}

// A matrix in the ELLPACK format times a vector.
kernel void ellpack(global float *y, global const float *values, global const int *columns,
                    global const float *x, int most)
{
  int i = get_global_id(0), n = get_global_size(0);
  float sum = 0;
#if FORM == 0
  for (int k = 0; k < most; k++)
    sum += values[k * n + i] * x[columns[k * n + i]];
#elif FORM == 1
  for (int k = 0; k < most; k++) {
    int c = columns[k * n + i];
    if (c >= 0)
      sum += values[k * n + i] * x[c];
  }
#else
  for (int k = 0; k < most; k++)
    sum += values[i * most + k] * x[columns[i * most + k]];
#endif
  y[i] = sum;
}

// An unstructured grid: the flow into each cell from its four neighbours.
kernel void flow(global float *out, global const float *u, global const int *neighbours,
                 global const float *weights)
{
  int i = get_global_id(0), n = get_global_size(0);
  float sum = 0;
  for (int k = 0; k < 4; k++) {
#if FORM == 0
    int at = neighbours[i + k * n];
    float w = weights[i + k * n];
#else
    int at = neighbours[4 * i + k];
    float w = weights[4 * i + k];
#endif
    if (at >= 0)
      sum += w * (u[at] - u[i]);
    else
      sum -= w * u[i];
  }
  out[i] = u[i] + 0.1f * sum;
}
