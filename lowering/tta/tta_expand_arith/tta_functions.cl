// What the processor has no unit for, from what it has: shifts, sums, comparisons, products of
// floats. `tta-expand-arith` calls these functions (`tta.` in front of their names); it reads them
// as IR from tta_functions.mlir, which `ocl-opt tta_functions.cl` writes. Every result has the
// bits that IEEE 754 says, rounded to nearest even; a NaN is 0x7fc00000.

#define SIGN 0x80000000u
#define INFINITE 0x7f800000u
#define NOT_A_NUMBER 0x7fc00000u

// Products of integers are made of products of floats: those of numbers with 11 bits have 22, which
// a float holds, and so does a sum of three of them with 23. 2^23 is added to read an integer's bits.

#define READ 0x1p23f
#define READ_BITS 0x4b000000u

static float small_float(uint a) { return as_float(a | READ_BITS) - READ; }

uint mul_i32(uint a, uint b) {
  float a0 = small_float(a & 2047), a1 = small_float(a >> 11 & 2047), a2 = small_float(a >> 22);
  float b0 = small_float(b & 2047), b1 = small_float(b >> 11 & 2047), b2 = small_float(b >> 22);
  uint low = as_uint(a0 * b0 + READ), middle = as_uint((a0 * b1 + a1 * b0) + READ);
  uint high = as_uint((a0 * b2 + a2 * b0) + (a1 * b1 + READ));
  // Nothing is left of READ_BITS shifted by 11 or 22.
  return (low - READ_BITS) + (middle << 11) + (high << 22);
}

static uint column(float x) { return as_uint(x) - READ_BITS; }

// Digits of 11 bits, from column to column.
static ulong wide_product(uint a, uint b) {
  float a0 = small_float(a & 2047), a1 = small_float(a >> 11 & 2047), a2 = small_float(a >> 22);
  float b0 = small_float(b & 2047), b1 = small_float(b >> 11 & 2047), b2 = small_float(b >> 22);
  uint c0 = column(a0 * b0 + READ), c1 = column(a0 * b1 + (a1 * b0 + READ));
  uint c2 = column((a0 * b2 + a2 * b0) + (a1 * b1 + READ)), c3 = column(a1 * b2 + (a2 * b1 + READ));
  uint c4 = column(a2 * b2 + READ);
  c1 += c0 >> 11;
  c2 += c1 >> 11;
  c3 += c2 >> 11;
  c4 += c3 >> 11;
  uint low = c0 & 2047 | (c1 & 2047) << 11 | c2 << 22;
  uint high = c2 >> 10 & 1 | (c3 & 2047) << 1 | c4 << 12;
  return (ulong)high << 32 | low;
}

// Digits from -1024 to 1023 have products of at most 2^20; a float holds a sum of four, and its bits
// are read after an addition of 1.5 * 2^23.

#define CENTER 0x1.8p23f
#define CENTER_BITS 0x4b400000u

static float digit(uint a) { return as_float(a & 2047 | READ_BITS) - 0x1.0008p23f; }

static int signed_column(float x) { return (int)(as_uint(x) - CENTER_BITS); }

ulong mul_i64(ulong a, ulong b) {
  ulong bias = 1024ul | 1024ul << 11 | 1024ul << 22 | 1024ul << 33 | 1024ul << 44;
  ulong m = a + bias, n = b + bias;
  float m0 = digit(m), m1 = digit((uint)m >> 11), m2 = digit(m >> 22), m3 = digit(m >> 33);
  float n0 = digit(n), n1 = digit((uint)n >> 11), n2 = digit(n >> 22), n3 = digit(n >> 33);
  float m4 = digit(m >> 44), n4 = digit(n >> 44), m5 = small_float(m >> 55), n5 = small_float(n >> 55);
  int c0 = signed_column(m0 * n0 + CENTER), c1 = signed_column(m0 * n1 + (m1 * n0 + CENTER));
  int c2 = signed_column((m0 * n2 + m1 * n1) + (m2 * n0 + CENTER));
  int c3 = signed_column(((m0 * n3 + m1 * n2) + (m2 * n1 + m3 * n0)) + CENTER);
  int c4 = signed_column((m0 * n4 + m1 * n3) + (m2 * n2 + CENTER));
  c4 += signed_column(m3 * n1 + (m4 * n0 + CENTER));
  int c5 = signed_column((m0 * n5 + m1 * n4) + (m2 * n3 + CENTER));
  c5 += signed_column((m3 * n2 + m4 * n1) + (m5 * n0 + CENTER));
  c1 += c0 >> 11;
  c2 += c1 >> 11;
  c3 += c2 >> 11;
  c4 += c3 >> 11;
  c5 += c4 >> 11;
  uint low = c0 & 2047 | (c1 & 2047) << 11 | (uint)c2 << 22;
  uint high = c2 >> 10 & 1 | (c3 & 2047) << 1 | (c4 & 2047) << 12 | (uint)c5 << 23;
  return (ulong)high << 32 | low;
}

uint mulhi_u32(uint a, uint b) { return wide_product(a, b) >> 32; }

uint mulhi_s32(uint a, uint b) {
  uint high = mulhi_u32(a, b);
  if (a >> 31) high -= b;
  if (b >> 31) high -= a;
  return high;
}

ulong mulhi_u64(ulong a, ulong b) {
  uint a0 = a, a1 = a >> 32, b0 = b, b1 = b >> 32;
  ulong low = wide_product(a0, b0);
  ulong middle = wide_product(a1, b0) + (low >> 32);
  ulong other = wide_product(a0, b1) + (uint)middle;
  return wide_product(a1, b1) + (middle >> 32) + (other >> 32);
}

ulong mulhi_s64(ulong a, ulong b) {
  ulong high = mulhi_u64(a, b);
  if (a >> 63) high -= b;
  if (b >> 63) high -= a;
  return high;
}

// 1 / b, less by a factor of 2^-21 to 2^-19.4. The first guess is right to 1/8, each step squares that.
float reciprocal_u32(uint b) {
  float size = (float)b, result = as_float(0x7ef311c7 - as_uint(size));
  result *= 2.0f - size * result;
  result *= 2.0f - size * result;
  result *= 2.0f - size * result;
  return result * 0x1.ffffep-1f;
}

// Quotients have one bit a step. A division by zero gives any number.

uint div_u32(uint a, uint b) {
  uint rest = 0;
  for (int i = 0; i < 32; i++) {
    uint carry = rest >> 31;
    rest = rest << 1 | a >> 31;
    uint fits = carry | rest >= b;
    rest -= b & -fits;
    a = a << 1 | fits;
  }
  return a;
}

uint rem_u32(uint a, uint b) {
  uint rest = 0;
  for (int i = 0; i < 32; i++) {
    uint carry = rest >> 31;
    rest = rest << 1 | a >> 31;
    uint fits = carry | rest >= b;
    rest -= b & -fits;
    a <<= 1;
  }
  return rest;
}

static uint size_32(uint a) { return a >> 31 ? -a : a; }

uint div_s32(uint a, uint b) {
  uint quotient = div_u32(size_32(a), size_32(b));
  return (a ^ b) >> 31 ? -quotient : quotient;
}

uint rem_s32(uint a, uint b) {
  uint rest = rem_u32(size_32(a), size_32(b));
  return a >> 31 ? -rest : rest;
}

ulong div_u64(ulong a, ulong b) {
  ulong rest = 0;
  for (int i = 0; i < 64; i++) {
    uint carry = rest >> 63;
    rest = rest << 1 | a >> 63;
    a <<= 1;
    if (carry | rest >= b) {
      rest -= b;
      a |= 1;
    }
  }
  return a;
}

ulong rem_u64(ulong a, ulong b) {
  ulong rest = 0;
  for (int i = 0; i < 64; i++) {
    uint carry = rest >> 63;
    rest = rest << 1 | a >> 63;
    a <<= 1;
    if (carry | rest >= b) rest -= b;
  }
  return rest;
}

static ulong size_64(ulong a) { return a >> 63 ? -a : a; }

ulong div_s64(ulong a, ulong b) {
  ulong quotient = div_u64(size_64(a), size_64(b));
  return (a ^ b) >> 63 ? -quotient : quotient;
}

ulong rem_s64(ulong a, ulong b) {
  ulong rest = rem_u64(size_64(a), size_64(b));
  return a >> 63 ? -rest : rest;
}

// Bits.

uint popcount_i32(uint a) {
  a -= a >> 1 & 0x55555555;
  a = (a & 0x33333333) + (a >> 2 & 0x33333333);
  a = a + (a >> 4) & 0x0f0f0f0f;
  a += a >> 8;
  return a + (a >> 16) & 63;
}

uint clz_i32(uint a) {
  a |= a >> 1;
  a |= a >> 2;
  a |= a >> 4;
  a |= a >> 8;
  a |= a >> 16;
  return popcount_i32(~a);
}

// For processors that make a float of an integer. Of the first two bits one is left, so that rounding
// does not carry to another power of two.
uint clz_i32_by_floats(uint a) {
  return min(158 - (as_uint((float)(a & ~(a >> 1))) >> 23), 32u);
}

uint ctz_i32(uint a) { return popcount_i32(~a & a - 1); }

ulong popcount_i64(ulong a) { return popcount_i32((uint)a) + popcount_i32((uint)(a >> 32)); }

ulong clz_i64(ulong a) {
  uint high = a >> 32, low = a;
  return clz_i32(high ? high : low) + (high ? 0 : 32);
}

ulong ctz_i64(ulong a) {
  uint high = a >> 32, low = a;
  return ctz_i32(low ? low : high) + (low ? 0 : 32);
}

// Floats. A number is (-1)^sign * significand * 2^(exponent - 127 - 23), and its significand has
// 24 bits, also where it is subnormal in memory.

// The bits of a number without sign, times 2^24 where it is subnormal; it is not 0.
static uint normal(uint bits) {
  return bits & INFINITE ? bits : as_uint(as_float(bits) * 0x1p24f);
}

static int exponent_of(uint bits) {
  return (int)(normal(bits) >> 23) - (bits & INFINITE ? 0 : 24);
}

static uint significand_of(uint bits) { return normal(bits) & 0x7fffff | 0x800000; }

// The number with two more bits, the last of which says whether anything follows.
static float rounded(uint sign, int exponent, uint m) {
  uint base = exponent > 0 ? (uint)(exponent - 1) << 23 : 0;
  int shift = exponent > 0 ? 0 : exponent < -26 ? 27 : 1 - exponent;
  uint lost = m & (1u << shift) - 1;
  m = m >> shift | (lost != 0);
  uint up = (m & 3) + (m >> 2 & 1) > 2;
  return as_float(sign | (exponent >= 255 ? INFINITE : base + (m >> 2) + up));
}

float div_f32(float x, float y) {
  uint a = as_uint(x), b = as_uint(y);
  uint sign = (a ^ b) & SIGN;
  a &= ~SIGN;
  b &= ~SIGN;
  int exponent = exponent_of(a) - exponent_of(b) + 127;
  uint rest = significand_of(a), divisor = significand_of(b);
  uint is_less = rest < divisor;
  rest <<= is_less;
  exponent -= is_less;
  uint quotient = 0;
  for (int i = 0; i < 26; i++) {
    uint fits = rest >= divisor;
    quotient = quotient << 1 | fits;
    rest = rest - (divisor & -fits) << 1;
  }
  float result = rounded(sign, exponent, quotient | (rest != 0));
  result = a == INFINITE || b == 0 ? as_float(sign | INFINITE) : result;
  result = a == 0 || b == INFINITE ? as_float(sign) : result;
  bool is_nan = a > INFINITE || b > INFINITE || (a == b && (a == 0 || a == INFINITE));
  return is_nan ? as_float(NOT_A_NUMBER) : result;
}

float sqrt_f32(float x) {
  uint a = as_uint(x);
  int exponent = exponent_of(a) - 127;
  uint digits = significand_of(a) << 7;
  digits <<= exponent & 1;
  uint root = 0, rest = 0;
  for (int i = 0; i < 26; i++) {
    rest = rest << 2 | digits >> 30;
    digits <<= 2;
    uint trial = root << 2 | 1;
    uint fits = rest >= trial;
    rest -= trial & -fits;
    root = root << 1 | fits;
  }
  float result = rounded(0, (exponent >> 1) + 127, root | (rest != 0));
  result = a > INFINITE ? as_float(NOT_A_NUMBER) : result;
  return a << 1 == 0 || a == INFINITE ? x : result;
}

// Shifted to the right; the last bit says whether anything was lost.
static ulong jammed(ulong m, int shift) {
  if (shift > 63) return 1;
  ulong kept = m >> shift;
  return kept | (kept << shift != m);
}

float fma_f32(float x, float y, float z) {
  uint a = as_uint(x) & ~SIGN, b = as_uint(y) & ~SIGN, c = as_uint(z) & ~SIGN;
  uint sign = (as_uint(x) ^ as_uint(y)) & SIGN, other = as_uint(z) & SIGN;
  // Both have their first bit at 60 or 61.
  ulong product = wide_product(significand_of(a), significand_of(b)) << 14;
  ulong summand = (ulong)significand_of(c) << 37;
  int exponent = exponent_of(a) + exponent_of(b) - 127;
  int difference = exponent - exponent_of(c);
  bool is_below = difference < 0;
  ulong moved = jammed(is_below ? product : summand, is_below ? -difference : difference);
  product = is_below ? moved : product;
  summand = is_below ? summand : moved;
  exponent = is_below ? exponent - difference : exponent;
  bool is_less = product < summand;
  ulong apart = is_less ? summand - product : product - summand;
  ulong sum = sign == other ? product + summand : apart;
  // Its first bit comes to 60.
  int up = (int)clz_i64(sum) - 3;
  ulong m = up < 0 ? jammed(sum, -up) : sum << (up & 63);
  float result = rounded(is_less ? other : sign, exponent - up, (uint)jammed(m, 35));
  result = sum == 0 ? 0.0f : result;
  result = c == 0 ? x * y : c >= INFINITE ? z + z : result;
  bool is_special = a == 0 || b == 0 || a >= INFINITE || b >= INFINITE;
  return is_special ? x * y + z : result;
}

float trunc_f32(float x) {
  uint sign = as_uint(x) & SIGN;
  if ((as_uint(x) & ~SIGN) >= 0x4b000000) return x;
  return as_float(as_uint((float)(int)x) | sign);
}

float floor_f32(float x) {
  float whole = trunc_f32(x);
  return whole > x ? whole - 1.0f : whole;
}

float ceil_f32(float x) {
  float whole = trunc_f32(x);
  return whole < x ? as_float(as_uint(whole + 1.0f) | as_uint(x) & SIGN) : whole;
}

float round_f32(float x) {
  float size = as_float(as_uint(x) & ~SIGN), whole = trunc_f32(size);
  if (size - whole >= 0.5f) whole += 1.0f;
  return as_float(as_uint(whole) | as_uint(x) & SIGN);
}

float roundeven_f32(float x) {
  float size = as_float(as_uint(x) & ~SIGN);
  // A number above has no bits behind the point: the sum drops those of `size`, rounded.
  if (size < 0x1p23f) size = (size + 0x1p23f) - 0x1p23f;
  return as_float(as_uint(size) | as_uint(x) & SIGN);
}

// The remainder of numbers that have no fraction is found bit by bit, as that of integers is.
float fmod_f32(float x, float y) {
  uint a = as_uint(x) & ~SIGN, b = as_uint(y) & ~SIGN;
  int steps = exponent_of(a) - exponent_of(b);
  uint rest = significand_of(a), divisor = significand_of(b);
  for (int i = 0; i < steps; i++) {
    rest -= divisor & -(uint)(rest >= divisor);
    rest <<= 1;
  }
  rest -= divisor & -(uint)(rest >= divisor);
  // In units of the last place of y, which is 2^-149 at least.
  bool is_small = b < 0x800000;
  int unit = is_small ? 1 : b >> 23;
  rest >>= is_small ? 1 - exponent_of(b) : 0;
  float size = as_float(unit < 24 ? 1u << (unit - 1 & 31) : (uint)(unit - 23) << 23);
  float result = as_float(as_uint((float)(int)rest * size) | as_uint(x) & SIGN);
  result = steps < 0 || a == 0 || b == INFINITE ? x : result;
  return a >= INFINITE || b > INFINITE || b == 0 ? as_float(NOT_A_NUMBER) : result;
}

// From -b/2 to b/2; half of a number may have no float, so that small ones are doubled.
float remainder_f32(float x, float y) {
  float a = as_float(as_uint(x) & ~SIGN), b = as_float(as_uint(y) & ~SIGN);
  float rest = b < 0x1p127f ? fmod_f32(a, b + b) : a;
  bool is_small = b < 1.0f;
  float scale = is_small ? 2.0f : 1.0f, middle = is_small ? b : 0.5f * b;
  bool is_over = rest * scale > middle;
  rest = is_over ? rest - b : rest;
  rest = is_over && rest * scale >= middle ? rest - b : rest;
  float result = as_float(as_uint(rest) ^ as_uint(x) & SIGN);
  bool is_nan = as_uint(a) >= INFINITE || as_uint(b) > INFINITE || b == 0.0f;
  return is_nan ? as_float(NOT_A_NUMBER) : as_uint(b) == INFINITE ? x : result;
}

// Conversions.

float to_f32_u64(ulong a) {
  int up = (int)clz_i64(a) & 63;
  float result = rounded(0, 127 + 63 - up, (uint)jammed(a << up, 38));
  return a == 0 ? 0.0f : result;
}

float to_f32_s64(ulong a) {
  float size = to_f32_u64(size_64(a));
  return as_float(as_uint(size) | (uint)(a >> 32) & SIGN);
}

ulong to_u64_f32(float x) {
  uint a = as_uint(x);
  int exponent = (int)(a >> 23 & 255) - 127 - 23;
  if (!(x >= 1.0f)) return 0;
  if (exponent > 40) return ~0ul;
  ulong m = significand_of(a);
  return exponent < 0 ? m >> -exponent : m << exponent;
}

ulong to_s64_f32(float x) {
  if (x >= 0x1p63f) return ~0ul >> 1;
  if (x <= -0x1p63f) return 1ul << 63;
  ulong size = to_u64_f32(as_float(as_uint(x) & ~SIGN));
  return as_uint(x) >> 31 ? -size : size;
}

float to_f32_f16(ushort half_bits) {
  uint sign = (uint)(half_bits & 0x8000) << 16, bits = (uint)(half_bits & 0x7fff) << 13;
  if (bits >= 0x0f800000) return as_float(sign | bits + 0x70000000);
  if (bits < 0x00800000) return as_float(sign | as_uint((float)(half_bits & 0x7fff) * 0x1p-24f));
  return as_float(sign | bits + 0x38000000);
}

ushort to_f16_f32(float x) {
  uint sign = as_uint(x) >> 16 & 0x8000, a = as_uint(x) & ~SIGN;
  if (a > INFINITE) return sign | 0x7e00;
  if (a >= 0x477ff000) return sign | 0x7c00;
  // Below the smallest normal number the sum has its last bit where the result has it.
  if (a < 0x38800000) return sign | as_uint(as_float(a) + 0.5f) - 0x3f000000;
  return sign | a + 0xfff + (a >> 13 & 1) - 0x38000000 >> 13;
}

// For processors with integer units only. Products have 16 bits of each factor; without a
// multiplier, a product is a sum of shifted factors.

uint mul_i32_by_sums(uint a, uint b) {
  uint factor = min(a, b), term = max(a, b), sum = 0;
  while (factor) {
    sum += term & -(factor & 1);
    term <<= 1;
    factor >>= 1;
  }
  return sum;
}

static ulong wide_product_by_integers(uint a, uint b) {
  uint a0 = a & 0xffff, a1 = a >> 16, b0 = b & 0xffff, b1 = b >> 16;
  uint low = a0 * b0, middle = a1 * b0 + (low >> 16), other = a0 * b1 + (middle & 0xffff);
  uint high = a1 * b1 + (middle >> 16) + (other >> 16);
  return (ulong)high << 32 | (other << 16 | low & 0xffff);
}

ulong mul_i64_by_integers(ulong a, ulong b) {
  uint cross = (uint)a * (uint)(b >> 32) + (uint)(a >> 32) * (uint)b;
  return wide_product_by_integers((uint)a, (uint)b) + ((ulong)cross << 32);
}

uint mulhi_u32_by_integers(uint a, uint b) { return wide_product_by_integers(a, b) >> 32; }

uint mulhi_s32_by_integers(uint a, uint b) {
  uint high = mulhi_u32_by_integers(a, b);
  if (a >> 31) high -= b;
  if (b >> 31) high -= a;
  return high;
}

ulong mulhi_u64_by_integers(ulong a, ulong b) {
  uint a0 = a, a1 = a >> 32, b0 = b, b1 = b >> 32;
  ulong low = wide_product_by_integers(a0, b0);
  ulong middle = wide_product_by_integers(a1, b0) + (low >> 32);
  ulong other = wide_product_by_integers(a0, b1) + (uint)middle;
  return wide_product_by_integers(a1, b1) + (middle >> 32) + (other >> 32);
}

ulong mulhi_s64_by_integers(ulong a, ulong b) {
  ulong high = mulhi_u64_by_integers(a, b);
  if (a >> 63) high -= b;
  if (b >> 63) high -= a;
  return high;
}

// Shifted to the right by less than 32; the last bit says whether anything was lost.
static uint jammed_word(uint m, int shift) {
  uint kept = m >> shift;
  return kept | (kept << shift != m);
}

// A sum with its first bit anywhere; at bit 26 the exponent is right.
static float rounded_sum(uint sign, int exponent, uint sum) {
  int zeros = (int)clz_i32(sum);
  uint m = zeros < 6 ? jammed_word(sum, 6 - zeros & 31) : sum << (zeros - 6 & 31);
  return rounded(sign, exponent + 5 - zeros, m);
}

float add_f32(float x, float y) {
  uint a = as_uint(x), b = as_uint(y);
  bool swaps = (b & ~SIGN) > (a & ~SIGN);
  uint first = swaps ? b : a, second = swaps ? a : b;
  uint sign = first & SIGN, other = second & SIGN;
  first &= ~SIGN;
  second &= ~SIGN;
  uint e = first >> 23, f = second >> 23;
  uint m = (first & 0x7fffff | (e ? 0x800000 : 0)) << 3;
  uint n = (second & 0x7fffff | (f ? 0x800000 : 0)) << 3;
  e += e == 0;
  f += f == 0;
  n = jammed_word(n, min(e - f, 31u));
  uint sum = sign == other ? m + n : m - n;
  float result = rounded_sum(sign, e, sum);
  result = sum == 0 ? as_float(sign & other) : result;
  result = first == INFINITE ? as_float(sign | INFINITE) : result;
  bool is_nan = first > INFINITE || (second == INFINITE && sign != other);
  return is_nan ? as_float(NOT_A_NUMBER) : result;
}

float sub_f32(float x, float y) { return add_f32(x, as_float(as_uint(y) ^ SIGN)); }

float mul_f32(float x, float y) {
  uint a = as_uint(x), b = as_uint(y);
  uint sign = (a ^ b) & SIGN;
  a &= ~SIGN;
  b &= ~SIGN;
  int a_zeros = (int)clz_i32(a), b_zeros = (int)clz_i32(b);
  int e = a >> 23 ? (int)(a >> 23) : 9 - a_zeros, f = b >> 23 ? (int)(b >> 23) : 9 - b_zeros;
  uint m = a >> 23 ? a & 0x7fffff | 0x800000 : a << (a_zeros - 8 & 31);
  uint n = b >> 23 ? b & 0x7fffff | 0x800000 : b << (b_zeros - 8 & 31);
  uint m0 = m & 0xfff, m1 = m >> 12, n0 = n & 0xfff, n1 = n >> 12;
  uint middle = m1 * n0 + m0 * n1;
  uint low = m0 * n0 + ((middle & 0xfff) << 12);
  uint high = m1 * n1 + (middle >> 12) + (low >> 24);
  uint rest = low & 0xffffff;
  uint up = high >> 23;
  uint product = (high << 3 | rest >> 21) >> up | ((rest << 11 | up & rest >> 21) != 0);
  float result = rounded(sign, e + f - 127 + (int)up, product);
  result = a == 0 || b == 0 ? as_float(sign) : result;
  result = a == INFINITE || b == INFINITE ? as_float(sign | INFINITE) : result;
  bool is_nan = a > INFINITE || b > INFINITE || (a == INFINITE && b == 0) || (a == 0 && b == INFINITE);
  return is_nan ? as_float(NOT_A_NUMBER) : result;
}

float to_f32_u32(uint a) { return a == 0 ? 0.0f : rounded_sum(0, 127 + 26, a); }

float to_f32_s32(uint a) {
  return a == 0 ? 0.0f : rounded_sum(a & SIGN, 127 + 26, size_32(a));
}

uint to_u32_f32(float x) {
  uint a = as_uint(x);
  int exponent = (int)(a >> 23) - 127;
  uint m = a << 8 | SIGN;
  uint result = exponent > 31 ? 0xffffffff : m >> (31 - exponent & 31);
  return exponent < 0 || a > INFINITE ? 0 : result;
}

uint to_s32_f32(float x) {
  uint a = as_uint(x), sign = a & SIGN;
  a &= ~SIGN;
  uint size = min(to_u32_f32(as_float(a)), sign ? 0x80000000 : 0x7fffffffu);
  return sign ? -size : size;
}

// Double precision, by integers. A number is (-1)^sign * significand * 2^(exponent - 1023 - 52), and
// its significand has 53 bits, also where it is subnormal in memory. A NaN is 0x7ff8000000000000.

#define SIGN_64 0x8000000000000000ul
#define INFINITE_64 0x7ff0000000000000ul
#define NOT_A_NUMBER_64 0x7ff8000000000000ul
#define FRACTION_64 0x000ffffffffffffful
#define ONE_64 0x3ff0000000000000ul

// By how many bits a subnormal number is shifted to the left.
static int subnormal_shift(ulong size) {
  return size > FRACTION_64 ? 0 : (int)clz_i64(size) - 11 & 63;
}

static int exponent_64(ulong size, int shift) { return max((int)(size >> 52), 1) - shift; }

static ulong significand_64(ulong size, int shift) {
  return (size & FRACTION_64 | (ulong)(size > FRACTION_64) << 52) << shift;
}

// The number with two more bits, the last of which says whether anything follows; it has its first
// bit at 54 unless `exponent` is 1.
static double rounded_64(ulong sign, int exponent, ulong m) {
  ulong base = (ulong)(exponent - 1 << 20) << 32;
  uint up = ((uint)m & 3) + ((uint)m >> 2 & 1) > 2;
  return as_double(sign | (exponent >= 2047 ? INFINITE_64 : base + (m >> 2) + up));
}

// A number with its first bit at 63, of any exponent. `rest` follows.
static double fitted_64(ulong sign, int exponent, ulong m, ulong rest) {
  m = m >> 9 | ((m & 511 | rest) != 0);
  int shift = exponent > 0 ? 0 : min(1 - exponent, 63);
  ulong kept = m >> shift;
  return rounded_64(sign, max(exponent, 1), kept | (kept << shift != m));
}

double neg_f64(double x) { return as_double(as_ulong(x) ^ SIGN_64); }

double abs_f64(double x) { return as_double(as_ulong(x) & ~SIGN_64); }

double copysign_f64(double x, double y) {
  return as_double(as_ulong(x) & ~SIGN_64 | as_ulong(y) & SIGN_64);
}

// A number with the same order; both zeros are 0.
static long order_64(ulong a) {
  ulong size = a & ~SIGN_64;
  return a >> 63 ? -size : size;
}

// 1: equal, 2: greater, 4: less, 8: neither.
uint compare_f64(double x, double y) {
  ulong a = as_ulong(x), b = as_ulong(y);
  long m = order_64(a), n = order_64(b);
  bool is_nan = (a & ~SIGN_64) > INFINITE_64 || (b & ~SIGN_64) > INFINITE_64;
  return is_nan ? 8 : m < n ? 4 : m == n ? 1 : 2;
}

// -0 is less than +0.
static bool is_below_64(ulong a, ulong b) {
  return (long)(a ^ (ulong)((long)a >> 63) >> 1) < (long)(b ^ (ulong)((long)b >> 63) >> 1);
}

static bool is_nan_64(double x) { return (as_ulong(x) & ~SIGN_64) > INFINITE_64; }

double minimum_f64(double x, double y) {
  double result = is_below_64(as_ulong(y), as_ulong(x)) ? y : x;
  return is_nan_64(x) ? x : is_nan_64(y) ? y : result;
}

double maximum_f64(double x, double y) {
  double result = is_below_64(as_ulong(x), as_ulong(y)) ? y : x;
  return is_nan_64(x) ? x : is_nan_64(y) ? y : result;
}

double minnum_f64(double x, double y) {
  double result = is_below_64(as_ulong(y), as_ulong(x)) ? y : x;
  return is_nan_64(x) ? y : is_nan_64(y) ? x : result;
}

double maxnum_f64(double x, double y) {
  double result = is_below_64(as_ulong(x), as_ulong(y)) ? y : x;
  return is_nan_64(x) ? y : is_nan_64(y) ? x : result;
}

double add_f64(double x, double y) {
  ulong a = as_ulong(x), b = as_ulong(y);
  bool swaps = (b & ~SIGN_64) > (a & ~SIGN_64);
  ulong first = swaps ? b : a, second = swaps ? a : b;
  ulong sign = first & SIGN_64, other = second & SIGN_64;
  first &= ~SIGN_64;
  second &= ~SIGN_64;
  int e = exponent_64(first, 0), f = exponent_64(second, 0);
  ulong m = significand_64(first, 0) << 3, n = significand_64(second, 0) << 3;
  int shift = min(e - f, 63);
  ulong kept = n >> shift;
  kept |= kept << shift != n;
  ulong sum = m + (sign == other ? kept : -kept);
  // Its first bit is 56 or below. What is too small for a first bit at 54 has no bits to round.
  int up = min((int)clz_i64(sum) - 7, e);
  ulong moved = sum << up;
  double result = rounded_64(sign, e + 1 - up, moved >> 2 | (((uint)moved & 3) != 0));
  result = sum == 0 ? as_double(sign & other) : result;
  result = first == INFINITE_64 ? as_double(sign | INFINITE_64) : result;
  bool is_nan = first > INFINITE_64 || (second == INFINITE_64 && sign != other);
  return is_nan ? as_double(NOT_A_NUMBER_64) : result;
}

double sub_f64(double x, double y) { return add_f64(x, as_double(as_ulong(y) ^ SIGN_64)); }

// The product of two numbers of 53 bits, the lower half first. A column has at most four products of
// 2^20, or three and two of 2^19.
static ulong2 long_product(ulong a, ulong b) {
  ulong bias = 1024ul | 1024ul << 11 | 1024ul << 22 | 1024ul << 33;
  ulong m = a + bias, n = b + bias;
  float m0 = digit(m), m1 = digit((uint)m >> 11), m2 = digit(m >> 22), m3 = digit(m >> 33);
  float n0 = digit(n), n1 = digit((uint)n >> 11), n2 = digit(n >> 22), n3 = digit(n >> 33);
  float m4 = small_float(m >> 44), n4 = small_float(n >> 44);
  int c0 = signed_column(m0 * n0 + CENTER), c1 = signed_column(m0 * n1 + (m1 * n0 + CENTER));
  int c2 = signed_column((m0 * n2 + m1 * n1) + (m2 * n0 + CENTER));
  int c3 = signed_column(((m0 * n3 + m1 * n2) + (m2 * n1 + m3 * n0)) + CENTER);
  int c4 = signed_column(((m0 * n4 + m1 * n3) + (m2 * n2 + m3 * n1)) + (m4 * n0 + CENTER));
  int c5 = signed_column(((m1 * n4 + m2 * n3) + (m3 * n2 + m4 * n1)) + CENTER);
  int c6 = signed_column((m2 * n4 + m3 * n3) + (m4 * n2 + CENTER));
  int c7 = signed_column(m3 * n4 + (m4 * n3 + CENTER)), c8 = signed_column(m4 * n4 + CENTER);
  c1 += c0 >> 11;
  c2 += c1 >> 11;
  c3 += c2 >> 11;
  c4 += c3 >> 11;
  c5 += c4 >> 11;
  c6 += c5 >> 11;
  c7 += c6 >> 11;
  c8 += c7 >> 11;
  uint w0 = c0 & 2047 | (c1 & 2047) << 11 | (uint)c2 << 22;
  uint w1 = c2 >> 10 & 1 | (c3 & 2047) << 1 | (c4 & 2047) << 12 | (uint)c5 << 23;
  uint w2 = c5 >> 9 & 3 | (c6 & 2047) << 2 | (c7 & 2047) << 13 | (uint)c8 << 24;
  return (ulong2)((ulong)w1 << 32 | w0, (ulong)(c8 >> 8) << 32 | w2);
}

static ulong2 long_product_by_integers(ulong a, ulong b) {
  uint a0 = a, a1 = a >> 32, b0 = b, b1 = b >> 32;
  ulong low = (ulong)a0 * b0, middle = (ulong)a1 * b0 + (low >> 32);
  ulong other = (ulong)a0 * b1 + (uint)middle;
  return (ulong2)(other << 32 | (uint)low, (ulong)a1 * b1 + (middle >> 32) + (other >> 32));
}

double mul_f64(double x, double y) {
  ulong a = as_ulong(x), b = as_ulong(y);
  ulong sign = (a ^ b) & SIGN_64;
  a &= ~SIGN_64;
  b &= ~SIGN_64;
  ulong2 product = long_product(significand_64(a, 0), significand_64(b, 0));
  // Its first bit comes to 127; nothing is left of two subnormal numbers.
  ulong high = product.y << 22 | product.x >> 42, low = product.x << 22;
  int zeros = (int)clz_i64(high) & 63;
  high = high << zeros | low >> 1 >> (63 - zeros);
  int exponent = exponent_64(a, 0) + exponent_64(b, 0) - 1022 - zeros;
  double result = fitted_64(sign, exponent, high, low << zeros);
  result = a == 0 || b == 0 ? as_double(sign) : result;
  bool is_infinite = a == INFINITE_64 || b == INFINITE_64;
  result = is_infinite ? as_double(sign | INFINITE_64) : result;
  bool is_nan = a > INFINITE_64 || b > INFINITE_64 || (is_infinite && (a == 0 || b == 0));
  return is_nan ? as_double(NOT_A_NUMBER_64) : result;
}

double div_f64(double x, double y) {
  ulong a = as_ulong(x), b = as_ulong(y);
  ulong sign = (a ^ b) & SIGN_64;
  a &= ~SIGN_64;
  b &= ~SIGN_64;
  int s = subnormal_shift(a), t = subnormal_shift(b);
  int exponent = exponent_64(a, s) - exponent_64(b, t) + 1023;
  ulong rest = significand_64(a, s), divisor = significand_64(b, t);
  uint is_less = rest < divisor;
  rest <<= is_less;
  exponent -= is_less;
  ulong quotient = 0;
  for (int i = 0; i < 55; i++) {
    ulong next = rest - divisor;
    uint fits = (uint)(next >> 63) ^ 1;
    quotient = quotient << 1 | fits;
    rest = (fits ? next : rest) << 1;
  }
  double result = fitted_64(sign, exponent, quotient << 9, rest);
  result = a == INFINITE_64 || b == 0 ? as_double(sign | INFINITE_64) : result;
  result = a == 0 || b == INFINITE_64 ? as_double(sign) : result;
  bool is_nan = a > INFINITE_64 || b > INFINITE_64 || (a == b && (a == 0 || a == INFINITE_64));
  return is_nan ? as_double(NOT_A_NUMBER_64) : result;
}

double sqrt_f64(double x) {
  ulong a = as_ulong(x);
  int shift = subnormal_shift(a);
  int exponent = exponent_64(a, shift) - 1023;
  ulong digits = significand_64(a, shift) << 10;
  digits <<= exponent & 1;
  ulong root = 0, rest = 0;
  for (int i = 0; i < 55; i++) {
    rest = rest << 2 | digits >> 62;
    digits <<= 2;
    ulong next = rest - (root << 2 | 1);
    uint fits = (uint)(next >> 63) ^ 1;
    rest = fits ? next : rest;
    root = root << 1 | fits;
  }
  double result = fitted_64(0, (exponent >> 1) + 1023, root << 9, rest);
  result = a > INFINITE_64 ? as_double(NOT_A_NUMBER_64) : result;
  return a << 1 == 0 || a == INFINITE_64 ? x : result;
}

double rsqrt_f64(double x) { return 1.0 / sqrt_f64(x); }

double fma_f64(double x, double y, double z) {
  ulong a = as_ulong(x) & ~SIGN_64, b = as_ulong(y) & ~SIGN_64, c = as_ulong(z) & ~SIGN_64;
  ulong sign = (as_ulong(x) ^ as_ulong(y)) & SIGN_64, other = as_ulong(z) & SIGN_64;
  // Numbers of 128 bits, also where they are subnormal: the product of others has its first bit at 124
  // or 125, the summand at 124.
  ulong2 product = long_product(significand_64(a, 0), significand_64(b, 0));
  ulong high = product.y << 20 | product.x >> 44, low = product.x << 20;
  ulong summand = significand_64(c, 0) << 8, summand_low = 0;
  int exponent = exponent_64(a, 0) + exponent_64(b, 0) - 1023;
  int difference = c == 0 ? 0 : exponent - exponent_64(c, 0);
  // The smaller one is moved to the right; its last bit says whether anything was lost.
  bool is_below = difference < 0;
  int shift = is_below ? -difference : difference;
  ulong moved = is_below ? high : summand, moved_low = is_below ? low : 0;
  exponent += is_below ? shift : 0;
  bool is_far = shift > 63;
  ulong far_lost = is_far ? moved_low : 0;
  moved_low = is_far ? moved : moved_low;
  moved = is_far ? 0 : moved;
  bool is_lost = shift > 127;
  shift &= 63;
  ulong kept = moved_low >> shift;
  far_lost |= kept << shift ^ moved_low;
  moved_low = kept | moved << 1 << (63 - shift);
  moved >>= shift;
  moved_low = is_lost ? 1 : moved_low | (far_lost != 0);
  moved = is_lost ? 0 : moved;
  high = is_below ? moved : high;
  low = is_below ? moved_low : low;
  summand = is_below ? summand : moved;
  summand_low = is_below ? 0 : moved_low;
  bool is_less = high < summand || (high == summand && low < summand_low);
  bool differs = sign != other;
  // The smaller number is subtracted.
  ulong first = is_less ? summand : high, first_low = is_less ? summand_low : low;
  ulong second = is_less ? high : summand, second_low = is_less ? low : summand_low;
  ulong flip = differs ? ~0ul : 0;
  ulong sum_low = first_low + (second_low ^ flip) + differs;
  ulong carry = differs ? first_low >= second_low : sum_low < first_low;
  ulong sum = first + (second ^ flip) + carry;
  bool is_zero = (sum | sum_low) == 0;
  // Its first bit comes to 127.
  exponent -= sum == 0 ? 64 : 0;
  ulong lower = sum == 0 ? 0 : sum_low;
  sum = sum == 0 ? sum_low : sum;
  int zeros = (int)clz_i64(sum) & 63;
  sum = sum << zeros | lower >> 1 >> (63 - zeros);
  double result = fitted_64(is_less ? other : sign, exponent + 3 - zeros, sum, lower << zeros);
  result = is_zero ? 0.0 : result;
  bool is_nothing = a == 0 || b == 0;
  result = is_nothing ? (c == 0 ? as_double(sign & other) : z) : result;
  bool is_infinite = a == INFINITE_64 || b == INFINITE_64;
  result = c == INFINITE_64 ? z : is_infinite ? as_double(sign | INFINITE_64) : result;
  bool is_nan = a > INFINITE_64 || b > INFINITE_64 || c > INFINITE_64;
  is_nan = is_nan || (is_infinite && (is_nothing || (c == INFINITE_64 && differs)));
  return is_nan ? as_double(NOT_A_NUMBER_64) : result;
}

// The bits behind the point.
static ulong fraction_of(ulong size) { return FRACTION_64 >> ((int)(size >> 52) - 1023 & 63); }

// From here on numbers have no fraction.
#define WHOLE_64 0x4330000000000000ul

double trunc_f64(double x) {
  ulong a = as_ulong(x), size = a & ~SIGN_64;
  ulong result = size < ONE_64 ? 0 : size & ~fraction_of(size);
  return size >= WHOLE_64 ? x : as_double(result | a & SIGN_64);
}

double floor_f64(double x) {
  ulong a = as_ulong(x), size = a & ~SIGN_64, fraction = fraction_of(size), sign = a & SIGN_64;
  ulong result = size + (sign ? fraction : 0) & ~fraction;
  result = size < ONE_64 ? (sign && size ? ONE_64 : 0) : result;
  return size >= WHOLE_64 ? x : as_double(result | sign);
}

double ceil_f64(double x) { return neg_f64(floor_f64(neg_f64(x))); }

double round_f64(double x) {
  ulong a = as_ulong(x), size = a & ~SIGN_64, fraction = fraction_of(size);
  ulong result = size + (fraction + 1 >> 1) & ~fraction;
  result = size < ONE_64 ? (size >= 0x3fe0000000000000ul ? ONE_64 : 0) : result;
  return size >= WHOLE_64 ? x : as_double(result | a & SIGN_64);
}

double roundeven_f64(double x) {
  ulong a = as_ulong(x), size = a & ~SIGN_64, fraction = fraction_of(size);
  ulong is_odd = (size & fraction + 1) != 0;
  ulong result = size + (fraction >> 1) + is_odd & ~fraction;
  result = size < ONE_64 ? (size > 0x3fe0000000000000ul ? ONE_64 : 0) : result;
  return size >= WHOLE_64 ? x : as_double(result | a & SIGN_64);
}

double fmod_f64(double x, double y) {
  ulong a = as_ulong(x) & ~SIGN_64, b = as_ulong(y) & ~SIGN_64;
  int s = subnormal_shift(a), t = subnormal_shift(b);
  int exponent = exponent_64(b, t), steps = exponent_64(a, s) - exponent;
  ulong rest = significand_64(a, s), divisor = significand_64(b, t);
  for (int i = 0; i < steps; i++) rest = (rest >= divisor ? rest - divisor : rest) << 1;
  rest = rest >= divisor ? rest - divisor : rest;
  int zeros = (int)clz_i64(rest) & 63;
  double result = fitted_64(as_ulong(x) & SIGN_64, exponent + 11 - zeros, rest << zeros, 0);
  result = rest == 0 ? as_double(as_ulong(x) & SIGN_64) : result;
  result = steps < 0 || a == 0 || b == INFINITE_64 ? x : result;
  bool is_nan = a >= INFINITE_64 || b > INFINITE_64 || b == 0;
  return is_nan ? as_double(NOT_A_NUMBER_64) : result;
}

double remainder_f64(double x, double y) {
  double a = abs_f64(x), b = abs_f64(y);
  double rest = b < 0x1p1023 ? fmod_f64(a, b + b) : a;
  bool is_small = b < 1.0;
  double scale = is_small ? 2.0 : 1.0, middle = is_small ? b : 0.5 * b;
  bool is_over = rest * scale > middle;
  rest = is_over ? rest - b : rest;
  rest = is_over && rest * scale >= middle ? rest - b : rest;
  double result = as_double(as_ulong(rest) ^ as_ulong(x) & SIGN_64);
  bool is_nan = as_ulong(a) >= INFINITE_64 || as_ulong(b) > INFINITE_64 || b == 0.0;
  return is_nan ? as_double(NOT_A_NUMBER_64) : as_ulong(b) == INFINITE_64 ? x : result;
}

double to_f64_u64(ulong a) {
  int zeros = (int)clz_i64(a) & 63;
  double result = fitted_64(0, 1023 + 63 - zeros, a << zeros, 0);
  return a == 0 ? 0.0 : result;
}

double to_f64_s64(ulong a) {
  return as_double(as_ulong(to_f64_u64(size_64(a))) | a & SIGN_64);
}

double to_f64_u32(uint a) {
  int zeros = (int)clz_i32(a) & 31;
  ulong m = (ulong)(a << zeros) << 21;
  return as_double(a == 0 ? 0 : ((ulong)(1022 + 31 - zeros) << 52) + m);
}

double to_f64_s32(uint a) {
  return as_double(as_ulong(to_f64_u32(size_32(a))) | (ulong)(a & SIGN) << 32);
}

// Numbers that are too large become the largest one.
ulong to_u64_f64(double x) {
  ulong a = as_ulong(x);
  int exponent = (int)(a >> 52) - 1023;
  ulong m = a << 11 | SIGN_64;
  ulong result = exponent > 63 ? ~0ul : m >> (63 - exponent & 63);
  return exponent < 0 || a > INFINITE_64 ? 0 : result;
}

ulong to_s64_f64(double x) {
  ulong sign = as_ulong(x) & SIGN_64;
  ulong size = min(to_u64_f64(abs_f64(x)), sign ? SIGN_64 : ~SIGN_64);
  return sign ? -size : size;
}

uint to_u32_f64(double x) { return min(to_u64_f64(x), 0xfffffffful); }

uint to_s32_f64(double x) {
  ulong sign = as_ulong(x) & SIGN_64;
  uint size = min(to_u64_f64(abs_f64(x)), sign ? 0x80000000ul : 0x7ffffffful);
  return sign ? -size : size;
}

double to_f64_f32(float x) {
  uint a = as_uint(x) & ~SIGN, sign = as_uint(x) & SIGN;
  int shift = a >= 0x800000 ? 0 : (int)clz_i32(a) - 8 & 31;
  uint m = (a & 0x7fffff) << shift & 0x7fffff;
  uint exponent = max((int)(a >> 23), 1) - shift + 896;
  ulong result = (ulong)(exponent << 20) << 32 | (ulong)m << 29;
  result = a == INFINITE ? INFINITE_64 : a > INFINITE ? NOT_A_NUMBER_64 : result;
  return as_double((a == 0 ? 0 : result) | (ulong)(a > INFINITE ? 0 : sign) << 32);
}

float to_f32_f64(double x) {
  ulong a = as_ulong(x) & ~SIGN_64;
  uint sign = (uint)(as_ulong(x) >> 32) & SIGN;
  int exponent = (int)(a >> 52) - 896;
  ulong m = significand_64(a, 0);
  float result = rounded(sign, exponent, (uint)(m >> 27) | (((uint)m & 0x7ffffff) != 0));
  result = a == INFINITE_64 ? as_float(sign | INFINITE) : result;
  return a > INFINITE_64 ? as_float(NOT_A_NUMBER) : result;
}

double to_f64_f16(ushort half_bits) { return to_f64_f32(to_f32_f16(half_bits)); }

// Rounded to odd in between, so that the second rounding sees what was lost.
ushort to_f16_f64(double x) {
  ulong a = as_ulong(x) & ~SIGN_64;
  uint sign = (uint)(as_ulong(x) >> 32) & SIGN;
  int exponent = (int)(a >> 52) - 896;
  uint m = (uint)(a >> 29) & 0x7fffff | (((uint)a & 0x1fffffff) != 0);
  uint size = exponent <= 0 ? 0 : exponent > 254 ? INFINITE : (uint)exponent << 23 | m;
  return to_f16_f32(as_float(a > INFINITE_64 ? NOT_A_NUMBER : sign | size));
}
