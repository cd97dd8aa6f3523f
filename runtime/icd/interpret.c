// Launches on the interpreter: POLYCL_DEVICE=interp, and POLYCL_CHECK=1 with its checks.
//
// The contents of all buffers go to the compiler's process, and come back as the kernel left them.
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

struct interpreted {
  cl_kernel kernel;
  char sizes[300]; // global and local size, offset, dimensions, whether ids are wide
  struct argument *arguments;
  unsigned char *block; // the values
};

// One piece of memory that the kernel may use.
struct block {
  cl_mem image;  // NULL: plain memory
  char *address; // NULL: of an image
  size_t size;
};

static struct {
  pthread_once_t once;
  const char *checks; // "": none, "all", or kinds of errors
  bool device;
} wishes = {.once = PTHREAD_ONCE_INIT}; // read once: every enqueue asks

// Whether a variable of the environment is `value`, and not `other`.
static bool is_set(const char *variable, const char *value, const char *other) {
  const char *text = getenv(variable);
  if (!text || !*text || !strcmp(text, other)) return false;
  if (!strcmp(text, value)) return true;
  fprintf(stderr, "polycl: %s is '%s'; expected %s or %s: it is ignored\n", variable, text, value,
          other);
  return false;
}

static void read_wishes(void) {
  const char *checks = getenv("POLYCL_CHECK");
  if (!checks || !strcmp(checks, "0")) checks = "";
  wishes.checks = strcmp(checks, "1") ? strdup(checks) : "all";
  wishes.device = is_set("POLYCL_DEVICE", "interp", "cpu");
}

bool interpreter_wanted(void) {
  pthread_once(&wishes.once, read_wishes);
  return (wishes.checks && *wishes.checks) || wishes.device;
}

static struct field text_field(const char *text) {
  return (struct field){text ? text : "", text ? strlen(text) : 0};
}

// The number of the memory object's block, which is added if it is new. Sub-buffers are parts of
// their buffer's.
static size_t block_of(struct block *blocks, size_t *count, cl_mem memory, size_t *offset) {
  struct block block = {NULL, NULL, 0};
  *offset = 0;
  if (memory->header) {
    block = (struct block){memory, NULL, image_block_size(memory)};
  } else {
    cl_mem whole = memory->parent ? memory->parent : memory;
    block = (struct block){NULL, whole->data, whole->size};
    *offset = memory->offset;
  }
  for (size_t i = 0; i < *count; i++)
    if (blocks[i].image == block.image && blocks[i].address == block.address) return i;
  blocks[*count] = block;
  return (*count)++;
}

static char *to_bytes(const struct block *block) {
  char *bytes = malloc(block->size + 1);
  if (bytes && block->image)
    image_to_block(block->image, bytes);
  else if (bytes)
    memcpy(bytes, block->address, block->size);
  return bytes;
}

static void from_bytes(const struct block *block, const char *bytes) {
  if (block->image)
    image_from_block(block->image, bytes);
  else
    memcpy(block->address, bytes, block->size);
}

// The two fields of an argument: its description and, of values, its bytes.
static bool describe(const struct interpreted *launch, unsigned i, struct block *blocks,
                     size_t *count, struct field fields[2]) {
  const struct parameter *parameter = &launch->kernel->function->parameters[i];
  const struct argument *argument = &launch->arguments[i];
  char *text = NULL;
  fields[1] = (struct field){"", 0};
  if (parameter->kind == 'l') {
    text = format_text("local %zu", argument->bytes);
  } else if (argument->memory) {
    size_t offset, number = block_of(blocks, count, argument->memory, &offset);
    text = format_text("memory %zu %zu", number, offset);
  } else if (parameter->kind == 'g') {
    text = argument->address ? NULL : strdup("null");
  } else {
    text = strdup("value");
    fields[1] = (struct field){launch->block + parameter->offset, parameter->size};
  }
  fields[0] = (struct field){text, text ? strlen(text) : 0};
  return text != NULL;
}

// Takes the number of errors, the printed text and the contents from the reply: u64 errors, u64
// length, text, contents in order.
static bool take_reply(const struct artifact *reply, const struct block *blocks, size_t count,
                       uint64_t *errors) {
  uint64_t numbers[2];
  size_t total = sizeof numbers;
  if (reply->size < total) return false;
  memcpy(numbers, reply->bytes, sizeof numbers);
  *errors = numbers[0];
  uint64_t length = numbers[1];
  total += length;
  for (size_t i = 0; i < count; i++) total += blocks[i].size;
  if (reply->size != total) return false;
  const char *at = (const char *)reply->bytes + sizeof numbers;
  fwrite(at, 1, length, stdout);
  if (length) fflush(stdout);
  at += length;
  for (size_t i = 0; i < count; at += blocks[i++].size) from_bytes(&blocks[i], at);
  return true;
}

static cl_int interpret(const struct interpreted *launch) {
  const struct function *function = launch->kernel->function;
  struct build *build = launch->kernel->build;
  unsigned parameters = function->parameter_count, variables = function->variables_count;
  size_t most = parameters + variables, count = 0, n = 0, named = 0;
  struct block *blocks = calloc(most + 1, sizeof *blocks);
  struct field *arguments = calloc(2 * most + 1, sizeof *arguments);
  struct field *fields = calloc(8 + 3 * most, sizeof *fields);
  cl_int error = CL_OUT_OF_HOST_MEMORY;
  bool good = blocks && arguments && fields;
  for (; good && named < parameters; named++)
    if (!(good = describe(launch, (unsigned)named, blocks, &count, &arguments[2 * named]))) {
      fprintf(stderr, "polycl: kernel '%s': the interpreter cannot use SVM pointers\n",
              function->name);
      error = CL_INVALID_OPERATION;
    }
  for (unsigned i = 0; good && i < variables; i++, named++) {
    unsigned number = function->variables[i];
    char *text = format_text("memory %zu 0", count);
    blocks[count++] = (struct block){NULL, build->variables[number], build->variable_sizes[number]};
    arguments[2 * named] = (struct field){text, text ? strlen(text) : 0};
    arguments[2 * named + 1] = (struct field){"", 0};
  }
  char number[24], folder[PATH_MAX];
  snprintf(number, sizeof number, "%zu", count);
  if (!getcwd(folder, sizeof folder)) *folder = 0;
  size_t contents = 0;
  if (good) {
    fields[n++] = (struct field){"interpret", 9};
    fields[n++] = (struct field){function->name, strlen(function->name)};
    fields[n++] = (struct field){launch->sizes, strlen(launch->sizes)};
    fields[n++] = text_field(wishes.checks);
    fields[n++] = text_field(folder);
    fields[n++] = text_field(getenv("POLYCL_CHECK_SARIF"));
    fields[n++] = text_field(getenv("POLYCL_CHECK_SOURCES"));
    fields[n++] = text_field(number);
    contents = n;
    for (size_t i = 0; good && i < count; i++) {
      char *bytes = to_bytes(&blocks[i]);
      good = bytes != NULL;
      fields[n++] = (struct field){bytes, blocks[i].size};
    }
    memcpy(fields + n, arguments, 2 * named * sizeof *arguments);
    n += 2 * named;
  }
  if (good) {
    struct artifact reply = {0};
    char *log = NULL;
    uint64_t errors = 0;
    bool done = build_request(build, fields, n, &reply, &log) == COMPILER_OK &&
                take_reply(&reply, blocks, count, &errors);
    report_findings(log, errors);
    error = done ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
    free(log);
    artifact_free(&reply);
  }
  for (size_t i = 0; contents && i < count; i++) free((void *)fields[contents + i].data);
  for (size_t i = 0; arguments && i < named; i++) free((void *)arguments[2 * i].data);
  free(blocks);
  free(arguments);
  free(fields);
  return error;
}

static void run_interpreted(cl_event command, size_t part, struct worker *worker) {
  (void)part, (void)worker;
  struct interpreted *launch = command->payload;
  pthread_mutex_t *lock = &launch->kernel->build->lock;
  pthread_mutex_lock(lock); // a launch gives back whole buffers, of which others may change a part
  command->result = interpret(launch);
  pthread_mutex_unlock(lock);
}

void prepare_interpreted(cl_event command, cl_kernel kernel, const char *sizes) {
  const struct function *function = kernel->function;
  struct interpreted *launch = command->payload;
  launch->kernel = kernel;
  launch->arguments = (struct argument *)(launch + 1);
  launch->block = (unsigned char *)(launch->arguments + function->parameter_count);
  snprintf(launch->sizes, sizeof launch->sizes, "%s", sizes);
  memcpy(launch->arguments, kernel->arguments,
         function->parameter_count * sizeof *launch->arguments);
  memcpy(launch->block, kernel->block, function->block_fields);
  command->task.run = run_interpreted;
}

size_t interpreted_size(const struct function *function) {
  return sizeof(struct interpreted) + function->parameter_count * sizeof(struct argument) +
         function->block_fields;
}
