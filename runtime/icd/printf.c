// printf of kernels (OpenCL 1.2, section 6.12.13): records of arguments become text.
//
//     %[flags][width][.precision][vn][hh|h|hl|l]conversion
//
// The Python function polycl.backends.printf.format_printf prints the same text.
#include "driver.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct type {
  char kind;      // i integer, f float, p pointer
  unsigned bits;  // of an element
  unsigned count; // of elements; 0: a scalar
  char name[12];
  size_t offset; // in the record
};

// The formats are an array; the last one has no text.
struct printf_format {
  char *text;
  unsigned type_count;
  struct type *types;
  size_t record_size;
};

// ------------------------------------------------------------------------------- description

static bool read_type(struct type *type, const char *name, size_t length) {
  if (length == 0 || length >= sizeof type->name) return false;
  memcpy(type->name, name, length);
  type->name[length] = 0;
  type->kind = name[0];
  type->bits = 64;
  int end = 1;
  if (name[0] == 'p') return length == 1;
  if (sscanf(type->name, "%*1[if]%u%nx%u%n", &type->bits, &end, &type->count, &end) < 1)
    return false;
  return (size_t)end == length && (type->bits == 8 || type->bits == 16 || type->bits == 32 ||
                                   type->bits == 64);
}

static size_t size_of(const struct type *type) {
  unsigned count = type->count == 0 ? 1 : type->count == 3 ? 4 : type->count;
  return type->bits / 8 * count;
}

// `line` is what follows `printf` and a tab in the line. In the description, which is UTF-8, each
// character of the format is one byte of the program's string literal.
static bool read_format(struct printf_format *format, const char *line, size_t length) {
  size_t fields = 0, text_length = 0, at = 0;
  for (size_t i = 0; i < length; ++i) fields += line[i] == '\t';
  format->text = malloc(length + 1);
  format->types = calloc(fields ? fields : 1, sizeof *format->types);
  if (!format->text || !format->types) return false;
  for (; at < length && line[at] != '\t'; ++at) {
    char byte = line[at];
    if (byte == '\\' && at + 1 < length) {
      byte = line[++at];
      byte = byte == 'n' ? '\n' : byte == 't' ? '\t' : byte;
    } else if ((byte & 0xFE) == 0xC2 && at + 1 < length) { // U+0080 to U+00FF
      byte = (char)((unsigned char)byte << 6 | (line[++at] & 0x3F));
    }
    format->text[text_length++] = byte;
  }
  format->text[text_length] = 0;
  size_t end = 8; // after the format's number
  while (at < length) {
    const char *name = line + ++at;
    size_t name_length = strcspn(name, "\t\n");
    struct type *type = &format->types[format->type_count++];
    if (!read_type(type, name, name_length)) return false;
    type->offset = end;
    end += (size_of(type) + 7) / 8 * 8;
    at += name_length;
  }
  format->record_size = end;
  return true;
}

struct printf_format *printf_formats(const char *meta) {
  static const char start[] = "printf\t";
  size_t count = 0;
  for (const char *line = meta; line && *line; line = strchr(line, '\n'), line += line != NULL)
    count += strncmp(line, start, sizeof start - 1) == 0;
  if (count == 0) return NULL;
  struct printf_format *formats = calloc(count + 1, sizeof *formats), *format = formats;
  if (!formats) return NULL;
  for (const char *line = meta; line && *line; line = strchr(line, '\n'), line += line != NULL) {
    if (strncmp(line, start, sizeof start - 1)) continue;
    const char *fields = line + sizeof start - 1;
    if (read_format(format++, fields, strcspn(fields, "\n"))) continue;
    printf_free(formats);
    return NULL;
  }
  return formats;
}

void printf_free(struct printf_format *formats) {
  if (!formats) return;
  for (struct printf_format *format = formats; format->text; ++format) {
    free(format->text);
    free(format->types);
  }
  free(formats);
}

// ---------------------------------------------------------------------------------- conversions

struct specification {
  const char *text; // from the percent sign
  size_t length;
  bool minus;
  char flags[8]; // each at most once
  int width, precision; // precision -1: none
  unsigned count;       // elements of a vector; 0: a scalar
  unsigned length_bits; // of the length modifier; 0: none
  char conversion;
};

static int read_number(const char **at) {
  int number = 0;
  for (; **at >= '0' && **at <= '9'; ++*at)
    if (number < 1 << 20) number = number * 10 + (**at - '0');
  return number;
}

static void read_specification(struct specification *spec, const char *text) {
  const char *at = text + 1;
  *spec = (struct specification){.text = text, .precision = -1};
  for (; *at && strchr("-+ #0", *at); ++at)
    if (!strchr(spec->flags, *at)) spec->flags[strlen(spec->flags)] = *at;
  spec->minus = strchr(spec->flags, '-') != NULL;
  spec->width = read_number(&at);
  if (*at == '.') {
    ++at;
    spec->precision = read_number(&at);
  }
  if (*at == 'v' && at[1] >= '0' && at[1] <= '9') {
    ++at;
    spec->count = (unsigned)read_number(&at);
  }
  static const struct {
    const char *name;
    unsigned bits;
  } lengths[] = {{"hh", 8}, {"hl", 32}, {"h", 16}, {"l", 64}};
  for (unsigned i = 0; i < 4; ++i) {
    size_t size = strlen(lengths[i].name);
    if (strncmp(at, lengths[i].name, size)) continue;
    spec->length_bits = lengths[i].bits;
    at += size;
    break;
  }
  spec->conversion = *at;
  spec->length = (size_t)(at - text) + (*at != 0);
}

// Says why a printf prints nothing.
__attribute__((format(printf, 2, 3))) static bool refuse(const struct specification *spec,
                                                         const char *reason, ...) {
  fprintf(stderr, "polycl: printf: '%.*s' ", (int)spec->length, spec->text);
  va_list arguments;
  va_start(arguments, reason);
  vfprintf(stderr, reason, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return false;
}

static bool mismatch(const struct specification *spec, const char *expected,
                     const struct type *type) {
  return refuse(spec, "is for %s, the argument is %s", expected, type->name);
}

static bool check(const struct specification *spec) {
  if (!spec->conversion || !strchr("diouxXfFeEgGaAcsp%", spec->conversion))
    return refuse(spec, "is not a conversion; expected one of d i o u x X f F e E g G a A c s p");
  unsigned n = spec->count;
  if (n && ((n != 2 && n != 3 && n != 4 && n != 8 && n != 16) || strchr("csp%", spec->conversion)))
    return refuse(spec, "is not a vector conversion; expected v2, v3, v4, v8 or v16 and a "
                        "conversion of numbers");
  if (!n && spec->length_bits == 32) return refuse(spec, "has the length hl, which is of vectors");
  return true;
}

static double float16(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  double mantissa = bits & 1023, value = mantissa / (1 << 24);
  if (exponent == 31)
    value = mantissa ? __builtin_nan("") : __builtin_inf();
  else if (exponent) // powers of two are exact
    value = (1024 + mantissa) * (double)(1u << exponent) / (1 << 25);
  return bits >> 15 ? -value : value;
}

static double read_float(const char *data, unsigned bits) {
  uint16_t half;
  float single;
  double value;
  switch (bits) {
  case 16: memcpy(&half, data, 2); return float16(half);
  case 32: memcpy(&single, data, 4); return single;
  default: memcpy(&value, data, 8); return value;
  }
}

static void print_float(FILE *to, const struct specification *spec, double value) {
  char format[24];
  if (value != value) value = __builtin_nan(""); // without a sign
  snprintf(format, sizeof format, "%%%s*.*%c", spec->flags, spec->conversion);
  fprintf(to, format, spec->width, spec->precision, value);
}

static void print_integer(FILE *to, const struct specification *spec, const char *data,
                          unsigned own_bits) {
  uint64_t value = 0;
  memcpy(&value, data, own_bits / 8); // little-endian
  // Without a length a scalar is an int, after C's promotions; vectors are not promoted.
  unsigned wanted = spec->length_bits ? spec->length_bits : spec->count ? own_bits : 32;
  unsigned bits = wanted < own_bits ? wanted : own_bits;
  value = value << (64 - bits) >> (64 - bits);
  if (strchr("di", spec->conversion))
    value = (uint64_t)((int64_t)(value << (64 - bits)) >> (64 - bits));
  char format[24];
  snprintf(format, sizeof format, "%%%s*.*j%c", spec->flags, spec->conversion);
  fprintf(to, format, spec->width, spec->precision, (uintmax_t)value);
}

// Text is padded with blanks only.
static void print_text(FILE *to, const struct specification *spec, const char *text,
                       size_t length) {
  int width = spec->minus ? -spec->width : spec->width;
  int missing = spec->width > (int)length ? spec->width - (int)length : 0;
  if (width > 0) fprintf(to, "%*s", missing, "");
  fwrite(text, 1, length, to);
  if (width < 0) fprintf(to, "%*s", missing, "");
}

static bool print_argument(FILE *to, const struct specification *spec, const struct type *type,
                           const char *data) {
  if (spec->count != type->count)
    return spec->count ? refuse(spec, "is for a vector of %u, the argument is %s", spec->count,
                                type->name)
                       : refuse(spec, "is for a scalar, the argument is %s", type->name);
  char text[24];
  const char *string;
  uint64_t address = 0;
  if (type->kind != 'f') memcpy(&address, data, type->bits / 8);
  switch (spec->conversion) {
  case 's':
    if (type->kind != 'p') return mismatch(spec, "a pointer to constant char", type);
    string = address ? (const char *)(uintptr_t)address : "(null)";
    print_text(to, spec, string,
               spec->precision < 0 ? strlen(string) : strnlen(string, (size_t)spec->precision));
    return true;
  case 'c':
    if (type->kind != 'i') return mismatch(spec, "an integer", type);
    print_text(to, spec, data, 1);
    return true;
  case 'p':
    if (type->kind == 'f') return mismatch(spec, "a pointer", type);
    snprintf(text, sizeof text, address ? "%#" PRIx64 : "(nil)", address);
    print_text(to, spec, text, strlen(text));
    return true;
  }
  bool is_float = strchr("fFeEgGaA", spec->conversion);
  if (type->kind != (is_float ? 'f' : 'i'))
    return mismatch(spec, is_float ? "a float" : "an integer", type);
  for (unsigned i = 0; i < (type->count ? type->count : 1); ++i, data += type->bits / 8) {
    if (i) fputc(',', to);
    if (is_float)
      print_float(to, spec, read_float(data, type->bits));
    else
      print_integer(to, spec, data, type->bits);
  }
  return true;
}

static void print_record(FILE *to, const struct printf_format *format, const char *record) {
  unsigned argument = 0;
  for (const char *at = format->text; *at;) {
    size_t plain = strcspn(at, "%");
    fwrite(at, 1, plain, to);
    at += plain;
    if (!*at) return;
    struct specification spec;
    read_specification(&spec, at);
    at += spec.length;
    if (!check(&spec)) return;
    if (spec.conversion == '%') {
      fputc('%', to);
      continue;
    }
    if (argument == format->type_count) {
      refuse(&spec, "has no argument");
      return;
    }
    const struct type *type = &format->types[argument++];
    if (!print_argument(to, &spec, type, record + type->offset)) return;
  }
}

// ------------------------------------------------------------------------------------ buffer

void printf_start(char *buffer) {
  int64_t header[2] = {0, PRINTF_BYTES};
  memcpy(buffer, header, sizeof header);
  memset(buffer + PRINTF_HEADER, 0xFF, PRINTF_BYTES); // no record has a negative number
}

void printf_flush(const struct printf_format *formats, char *buffer) {
  int64_t header[2], count = 0;
  memcpy(header, buffer, sizeof header);
  int64_t used = header[0], capacity = header[1], written = used < capacity ? used : capacity;
  if (used == 0) return;
  while (formats[count].text) ++count;
  flockfile(stdout);
  char *records = buffer + PRINTF_HEADER;
  int64_t at = 0, number;
  for (; at + 8 <= written; at += (int64_t)formats[number].record_size) {
    memcpy(&number, records + at, 8);
    if (number < 0 || number >= count) break; // the rest was not written
    print_record(stdout, &formats[number], records + at);
  }
  if (used > capacity)
    fprintf(stdout,
            "\nprintf: %" PRId64 " bytes of arguments were lost: one launch can print %" PRId64
            " bytes\n",
            used - at, capacity);
  // The host may read what stdout leads to as soon as the command is complete.
  fflush(stdout);
  funlockfile(stdout);
  memset(records, 0xFF, (size_t)written);
  memset(buffer, 0, 8);
}
