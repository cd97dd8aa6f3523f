// POLYCL_TRACE=FILE: every call and every command, as a trace of Chrome's format
// (chrome://tracing, or ui.perfetto.dev).
#include "driver.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int trace_file = -1;

struct event_text { // one line of the file
  size_t length;
  char text[4096];
};

static void add(struct event_text *event, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add(struct event_text *event, const char *format, ...) {
  size_t space = sizeof event->text - 8 - event->length; // some for the end
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(event->text + event->length, space, format, arguments);
  va_end(arguments);
  if (length > 0) event->length += (size_t)length < space ? (size_t)length : space - 1;
}

static void add_text(struct event_text *event, const char *text) {
  add(event, "\"");
  for (size_t i = 0; text[i] && i < 200; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '"' || c == '\\')
      add(event, "\\%c", c);
    else if (c < 0x20 || c >= 0x7f)
      add(event, "\\u%04x", c);
    else
      add(event, "%c", c);
  }
  add(event, "\"");
}

static void start(struct event_text *event, const char *name, const char *kind, uint64_t thread,
                  cl_ulong started, cl_ulong ended) {
  event->length = 0;
  add(event, "{\"name\":");
  add_text(event, name);
  add(event, ",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%llu,\"ts\":%.3f,\"dur\":%.3f", kind,
      (int)getpid(), (unsigned long long)thread, (double)started / 1e3,
      (double)(ended - started) / 1e3);
}

static void finish(struct event_text *event, const char *end) {
  event->length += (size_t)sprintf(event->text + event->length, "%s", end);
  // One call, so that lines of several threads and processes do not mix.
  if (write(trace_file, event->text, event->length) < 0) return;
}

// One argument: kinds are s text, d signed, u unsigned, p pointer.
static void show(struct event_text *event, const char *name, char kind, uint64_t value) {
  add(event, "\"%s\":", name);
  if (kind == 's' && value)
    add_text(event, (const char *)(uintptr_t)value);
  else if (kind == 'd')
    add(event, "%d", (int)value);
  else if (kind == 'u')
    add(event, "%llu", (unsigned long long)value);
  else if (value)
    add(event, "\"0x%llx\"", (unsigned long long)value);
  else
    add(event, "null");
  add(event, ",");
}

#define KIND_OF(value)                                                                             \
  _Generic((value), char *: 's', const char *: 's', cl_int: 'd', cl_uint: 'u', cl_ulong: 'u',      \
           default: 'p')
#define SHOW(value) show(&line_, #value, KIND_OF(value), (uint64_t)(uintptr_t)(value));

#define PARAMETERS_1(type, name) type name
#define PARAMETERS_2(type, name, ...) type name, PARAMETERS_1(__VA_ARGS__)
#define PARAMETERS_3(type, name, ...) type name, PARAMETERS_2(__VA_ARGS__)
#define PARAMETERS_4(type, name, ...) type name, PARAMETERS_3(__VA_ARGS__)
#define PARAMETERS_5(type, name, ...) type name, PARAMETERS_4(__VA_ARGS__)
#define PARAMETERS_6(type, name, ...) type name, PARAMETERS_5(__VA_ARGS__)
#define PARAMETERS_7(type, name, ...) type name, PARAMETERS_6(__VA_ARGS__)
#define PARAMETERS_8(type, name, ...) type name, PARAMETERS_7(__VA_ARGS__)
#define PARAMETERS_9(type, name, ...) type name, PARAMETERS_8(__VA_ARGS__)
#define PARAMETERS_10(type, name, ...) type name, PARAMETERS_9(__VA_ARGS__)
#define PARAMETERS_11(type, name, ...) type name, PARAMETERS_10(__VA_ARGS__)
#define PARAMETERS_12(type, name, ...) type name, PARAMETERS_11(__VA_ARGS__)
#define PARAMETERS_13(type, name, ...) type name, PARAMETERS_12(__VA_ARGS__)
#define PARAMETERS_14(type, name, ...) type name, PARAMETERS_13(__VA_ARGS__)

#define NAMES_1(type, name) name
#define NAMES_2(type, name, ...) name, NAMES_1(__VA_ARGS__)
#define NAMES_3(type, name, ...) name, NAMES_2(__VA_ARGS__)
#define NAMES_4(type, name, ...) name, NAMES_3(__VA_ARGS__)
#define NAMES_5(type, name, ...) name, NAMES_4(__VA_ARGS__)
#define NAMES_6(type, name, ...) name, NAMES_5(__VA_ARGS__)
#define NAMES_7(type, name, ...) name, NAMES_6(__VA_ARGS__)
#define NAMES_8(type, name, ...) name, NAMES_7(__VA_ARGS__)
#define NAMES_9(type, name, ...) name, NAMES_8(__VA_ARGS__)
#define NAMES_10(type, name, ...) name, NAMES_9(__VA_ARGS__)
#define NAMES_11(type, name, ...) name, NAMES_10(__VA_ARGS__)
#define NAMES_12(type, name, ...) name, NAMES_11(__VA_ARGS__)
#define NAMES_13(type, name, ...) name, NAMES_12(__VA_ARGS__)
#define NAMES_14(type, name, ...) name, NAMES_13(__VA_ARGS__)

#define SHOWN_1(type, name) SHOW(name)
#define SHOWN_2(type, name, ...) SHOW(name) SHOWN_1(__VA_ARGS__)
#define SHOWN_3(type, name, ...) SHOW(name) SHOWN_2(__VA_ARGS__)
#define SHOWN_4(type, name, ...) SHOW(name) SHOWN_3(__VA_ARGS__)
#define SHOWN_5(type, name, ...) SHOW(name) SHOWN_4(__VA_ARGS__)
#define SHOWN_6(type, name, ...) SHOW(name) SHOWN_5(__VA_ARGS__)
#define SHOWN_7(type, name, ...) SHOW(name) SHOWN_6(__VA_ARGS__)
#define SHOWN_8(type, name, ...) SHOW(name) SHOWN_7(__VA_ARGS__)
#define SHOWN_9(type, name, ...) SHOW(name) SHOWN_8(__VA_ARGS__)
#define SHOWN_10(type, name, ...) SHOW(name) SHOWN_9(__VA_ARGS__)
#define SHOWN_11(type, name, ...) SHOW(name) SHOWN_10(__VA_ARGS__)
#define SHOWN_12(type, name, ...) SHOW(name) SHOWN_11(__VA_ARGS__)
#define SHOWN_13(type, name, ...) SHOW(name) SHOWN_12(__VA_ARGS__)
#define SHOWN_14(type, name, ...) SHOW(name) SHOWN_13(__VA_ARGS__)

typedef void(CL_CALLBACK *function_pointer)(void); // of any type: it is only passed on

// A trailing _ keeps the names from those of the parameters.
#define CALL(count, type, name, ...)                                                               \
  static type CL_API_CALL trace_##name(PARAMETERS_##count(__VA_ARGS__)) {                          \
    type(CL_API_CALL * call_)(PARAMETERS_##count(__VA_ARGS__)) = (void *)dispatch_table.name;      \
    struct event_text line_;                                                                       \
    cl_ulong started_ = now_ns();                                                                  \
    type result = call_(NAMES_##count(__VA_ARGS__));                                               \
    start(&line_, #name, "call", (uint64_t)gettid(), started_, now_ns());                          \
    add(&line_, ",\"args\":{");                                                                    \
    SHOWN_##count(__VA_ARGS__) SHOW(result) line_.length--; /* the last comma */                   \
    finish(&line_, "}},\n");                                                                       \
    return result;                                                                                 \
  }
#include "calls.h"
#undef CALL

static cl_icd_dispatch trace_table;
static const cl_icd_dispatch *table = &dispatch_table;

static void open_trace(void) {
  const char *path = getenv("POLYCL_TRACE");
  if (!path || !*path) return;
  trace_file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (trace_file < 0) {
    fprintf(stderr, "polycl: POLYCL_TRACE: cannot write to '%s'\n", path);
    return;
  }
  struct stat status;
  // A trace without its final bracket is a good one.
  if (fstat(trace_file, &status) == 0 && !status.st_size && write(trace_file, "[\n", 2) < 0) return;
  trace_table = dispatch_table;
#define CALL(count, type, name, ...) trace_table.name = (void *)trace_##name;
#include "calls.h"
#undef CALL
  table = &trace_table;
}

const cl_icd_dispatch *active_table(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_trace);
  return table;
}

bool is_tracing(void) { return trace_file >= 0; }

static const char *command_name(cl_command_type type) {
  switch (type) {
  case CL_COMMAND_READ_BUFFER:
  case CL_COMMAND_READ_BUFFER_RECT: return "read buffer";
  case CL_COMMAND_WRITE_BUFFER:
  case CL_COMMAND_WRITE_BUFFER_RECT: return "write buffer";
  case CL_COMMAND_COPY_BUFFER:
  case CL_COMMAND_COPY_BUFFER_RECT: return "copy buffer";
  case CL_COMMAND_FILL_BUFFER: return "fill buffer";
  case CL_COMMAND_READ_IMAGE: return "read image";
  case CL_COMMAND_WRITE_IMAGE: return "write image";
  case CL_COMMAND_COPY_IMAGE: return "copy image";
  case CL_COMMAND_FILL_IMAGE: return "fill image";
  case CL_COMMAND_COPY_IMAGE_TO_BUFFER: return "copy image to buffer";
  case CL_COMMAND_COPY_BUFFER_TO_IMAGE: return "copy buffer to image";
  case CL_COMMAND_NATIVE_KERNEL: return "native kernel";
  case CL_COMMAND_MARKER: return "marker";
  case CL_COMMAND_BARRIER: return "barrier";
  default: return "command";
  }
}

// Each queue is a row of its own.
void trace_command(cl_event command) {
  struct event_text event;
  const char *name = command->name ? command->name : command_name(command->type);
  start(&event, name, "command", (uint64_t)(uintptr_t)command->queue >> 4 & 0xffffff,
        command->started, command->ended);
  finish(&event, "},\n");
}
