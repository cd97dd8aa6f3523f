// Programs (OpenCL 3.0, sections 5.8.1 to 5.8.8).
#include "driver.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void(CL_CALLBACK *notify_function)(cl_program, void *);

// ----------------------------------------------------------------------------------- builds

struct build *build_keep(struct build *build) {
  atomic_fetch_add(&build->uses, 1);
  return build;
}

static void free_function(struct function *function) {
  while (function->variants) {
    struct variant *variant = function->variants;
    function->variants = variant->next;
    if (!variant->any_size) printf_free(variant->formats);
    artifact_free(&variant->artifact);
    free(variant->facts);
    free(variant);
  }
  for (unsigned i = 0; i < function->parameter_count; i++) {
    free(function->parameters[i].type_name);
    free(function->parameters[i].name);
  }
  port_free(function->decisions);
  free(function->parameters);
  free(function->variables);
  free(function->name);
  free(function->attributes);
}

void build_drop(struct build *build) {
  if (!build || atomic_fetch_sub(&build->uses, 1) != 1) return;
  for (unsigned i = 0; i < build->function_count; i++) free_function(&build->functions[i]);
  for (unsigned i = 0; i < build->variable_count; i++) free(build->variables[i]);
  while (build->connection_count) close(build->connections[--build->connection_count]);
  free(build->functions);
  free(build->variables);
  free(build->variable_sizes);
  pthread_mutex_destroy(&build->lock);
  artifact_free(&build->artifact);
  free(build);
}

static size_t round_up(size_t value, size_t step) { return (value + step - 1) / step * step; }

static void read_size3(const char *text, size_t size[3]) {
  if (sscanf(text, "%zu %zu %zu", &size[0], &size[1], &size[2]) != 3) size[0] = size[1] = size[2] = 0;
}

static void *append(void **list, unsigned *count, size_t element) {
  if ((*count & (*count + 1)) == 0) { // 0, 1, 3, 7, …: the space is used up
    void *bigger = realloc(*list, (2 * (size_t)*count + 1) * element);
    if (!bigger) return NULL;
    *list = bigger;
  }
  return memset((char *)*list + (*count)++ * element, 0, element);
}

static void place_parameter(struct function *function, size_t size, size_t alignment,
                            size_t *offset) {
  *offset = round_up(function->block_fields, alignment > 8 ? alignment : 8);
  function->block_fields = *offset + size;
}

static bool add_function(struct build *build, const struct meta_line *line) {
  struct function *function =
      append((void **)&build->functions, &build->function_count, sizeof *function);
  if (!function) return false;
  function->name = strdup(line->fields[1]);
  function->attributes = strdup(line->fields[2]);
  read_size3(line->fields[3], function->required);
  read_size3(line->fields[4], function->hint);
  function->local_bytes = strtoull(line->fields[5], NULL, 10);
  function->private_bytes = strtoull(line->fields[6], NULL, 10);
  function->uniform = strcmp(line->fields[7], "non-uniform") != 0;
  function->operations = strtoull(line->fields[8], NULL, 10);
  read_size3(line->fields[9], function->best);
  function->atomics = !strcmp(line->fields[10], "atomics");
  return function->name && function->attributes;
}

static bool add_parameter(struct function *function, const struct meta_line *line) {
  struct parameter *parameter = append((void **)&function->parameters, &function->parameter_count,
                                       sizeof *parameter);
  if (!parameter) return false;
  const char *address = line->fields[4], *access = line->fields[5], *words = line->fields[6];
  parameter->kind = line->fields[1][0];
  parameter->size = strtoull(line->fields[2], NULL, 10);
  parameter->alignment = strtoull(line->fields[3], NULL, 10);
  parameter->address = !strcmp(address, "global")     ? CL_KERNEL_ARG_ADDRESS_GLOBAL
                       : !strcmp(address, "constant") ? CL_KERNEL_ARG_ADDRESS_CONSTANT
                       : !strcmp(address, "local")    ? CL_KERNEL_ARG_ADDRESS_LOCAL
                                                      : CL_KERNEL_ARG_ADDRESS_PRIVATE;
  parameter->access = !strcmp(access, "read_only")    ? CL_KERNEL_ARG_ACCESS_READ_ONLY
                      : !strcmp(access, "write_only") ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY
                      : !strcmp(access, "read_write") ? CL_KERNEL_ARG_ACCESS_READ_WRITE
                                                      : CL_KERNEL_ARG_ACCESS_NONE;
  parameter->qualifiers = (strstr(words, "const") ? CL_KERNEL_ARG_TYPE_CONST : 0) |
                          (strstr(words, "restrict") ? CL_KERNEL_ARG_TYPE_RESTRICT : 0) |
                          (strstr(words, "volatile") ? CL_KERNEL_ARG_TYPE_VOLATILE : 0) |
                          (strstr(words, "pipe") ? CL_KERNEL_ARG_TYPE_PIPE : 0);
  parameter->type_name = strdup(line->fields[7]);
  parameter->name = strdup(line->fields[8]);
  place_parameter(function, parameter->size, parameter->alignment, &parameter->offset);
  return parameter->type_name && parameter->name;
}

// Program-scope variables: memory with their initial values.
static bool add_variables(struct build *build, size_t size) {
  unsigned count = build->variable_count, same = count;
  char **place = append((void **)&build->variables, &count, sizeof *build->variables);
  size_t *bytes = append((void **)&build->variable_sizes, &same, sizeof *build->variable_sizes);
  if (!place || !bytes) return false;
  char name[40];
  snprintf(name, sizeof name, "polycl_variables_%u", build->variable_count);
  const void *initial = artifact_symbol(&build->artifact, name);
  *place = aligned_alloc(ALIGNMENT, round_up(size + 1, ALIGNMENT));
  if (!*place || !initial) return false;
  memcpy(*place, initial, size);
  *bytes = size;
  build->variable_bytes += size;
  build->variable_count++;
  return true;
}

// An initial value that is an address in the same variables.
static bool add_address(struct build *build, size_t place) {
  unsigned last = build->variable_count - 1;
  if (!build->variable_count || build->variable_sizes[last] < 8 ||
      place > build->variable_sizes[last] - 8)
    return false;
  uint64_t value, base = interpreter_wanted() ? INTERPRETED_VARIABLES
                                              : (uint64_t)(uintptr_t)build->variables[last];
  memcpy(&value, build->variables[last] + place, sizeof value);
  value += base;
  memcpy(build->variables[last] + place, &value, sizeof value);
  return true;
}

static bool read_description(struct build *build) {
  struct meta_line line = {0};
  struct function *function = NULL;
  bool good = true;
  for (const char *at = build->artifact.meta; good && meta_next(&at, &line);) {
    const char *word = line.fields[0];
    if (!strcmp(word, "variables")) {
      good = add_variables(build, strtoull(line.fields[1], NULL, 10));
    } else if (!strcmp(word, "address")) {
      good = add_address(build, strtoull(line.fields[1], NULL, 10));
    } else if (!strcmp(word, "kernel")) {
      good = add_function(build, &line);
      function = good ? &build->functions[build->function_count - 1] : NULL;
    } else if (!strcmp(word, "argument") && function) {
      good = add_parameter(function, &line);
    } else if (!strcmp(word, "uses") && function) {
      unsigned *number = append((void **)&function->variables, &function->variables_count,
                                sizeof *function->variables);
      size_t offset;
      place_parameter(function, 8, 8, &offset);
      good = number != NULL;
      if (good) *number = (unsigned)strtoul(line.fields[1], NULL, 10);
      good = good && *number < build->variable_count;
    }
  }
  free(line.text);
  for (unsigned i = 0; i < build->function_count; i++) {
    build->functions[i].block_fields = round_up(build->functions[i].block_fields, 8);
    build->functions[i].block_size = build->functions[i].block_fields + 8 * LAUNCH_FIELDS;
  }
  return good;
}

// The build of a loaded artifact, whose owner it becomes.
static struct build *make_build(struct artifact *artifact, int connection) {
  struct build *build = calloc(1, sizeof *build);
  if (!build) return NULL;
  build->uses = 1;
  build->artifact = *artifact;
  if (connection >= 0) build->connections[build->connection_count++] = connection;
  build->generation = process_generation();
  pthread_mutex_init(&build->lock, NULL);
  *artifact = (struct artifact){0};
  if (read_description(build)) {
    port_start(build);
    return build;
  }
  build_drop(build);
  return NULL;
}

void build_renew(struct build *build) {
  if (build->generation == process_generation()) return;
  build->generation = process_generation();
  build->waiting = build->compiling = 0;
  while (build->connection_count) close(build->connections[--build->connection_count]);
}

static int take_connection(struct build *build) {
  variants_lock();
  build_renew(build);
  int connection = build->connection_count ? build->connections[--build->connection_count] : -1;
  variants_unlock();
  return connection;
}

static void give_connection(struct build *build, int connection) {
  variants_lock();
  bool room = build->connection_count < MAX_CONNECTIONS;
  if (connection >= 0 && room) build->connections[build->connection_count++] = connection;
  variants_unlock();
  if (connection >= 0 && !room) close(connection);
}

// A request about a built program, on a connection that no other thread uses meanwhile.
enum reply build_request(struct build *build, const struct field *fields, size_t count,
                         struct artifact *artifact, char **log) {
  const struct field load[] = {{"load", 4}, {build->artifact.bytes, build->artifact.size}};
  enum reply reply = COMPILER_GONE;
  int connection = take_connection(build);
  // A connection that was idle for long is closed; a compiler that ends twice does so again.
  for (int tries = 0; reply == COMPILER_GONE && tries < 3; tries++) {
    if (connection < 0) {
      reply = compiler_request(&connection, load, 2, NULL, log);
      if (reply == COMPILER_GONE) continue;
      if (reply != COMPILER_OK) break;
      free(*log);
    }
    reply = compiler_request(&connection, fields, count, artifact, log);
  }
  give_connection(build, connection);
  if (reply == COMPILER_GONE)
    *log = format_text("polycl: the compiler ended while it compiled this kernel (a defect of "
                       "polycl, or it was stopped); its messages are in the .log file beside its "
                       "socket\n");
  return reply;
}

// ------------------------------------------------------------------------------ making programs

static cl_program new_program(cl_context context, cl_uint device_count,
                              const cl_device_id *devices) {
  cl_program program = object_new(KIND_PROGRAM, sizeof *program);
  if (!program) return NULL;
  pthread_mutex_init(&program->lock, NULL);
  program->context = object_keep(context);
  program->status = CL_BUILD_NONE;
  program->device_count = device_count;
  for (cl_uint i = 0; i < device_count; i++) program->devices[i] = object_keep(devices[i]);
  return program;
}

API cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                     const char **strings, const size_t *lengths,
                                                     cl_int *errcode_ret) {
  if (!object_is(context, KIND_CONTEXT)) FAIL(CL_INVALID_CONTEXT);
  if (!count || !strings) FAIL(CL_INVALID_VALUE);
  size_t total = 0;
  for (cl_uint i = 0; i < count; i++) {
    if (!strings[i]) FAIL(CL_INVALID_VALUE);
    total += lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
  }
  cl_program program = new_program(context, context->device_count, context->devices);
  if (!program) FAIL(CL_OUT_OF_HOST_MEMORY);
  program->source = malloc(total + 1);
  if (!program->source) {
    object_drop(program);
    FAIL(CL_OUT_OF_HOST_MEMORY);
  }
  size_t at = 0;
  for (cl_uint i = 0; i < count; i++) {
    size_t length = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
    memcpy(program->source + at, strings[i], length);
    at += length;
  }
  program->source[at] = 0;
  MADE(program);
}

// Reads the word of the line `type` of a description.
static cl_program_binary_type binary_type(const char *meta) {
  char *type = meta_value(meta, "type");
  cl_program_binary_type found =
      !type                             ? CL_PROGRAM_BINARY_TYPE_NONE
      : !strcmp(type, "executable")      ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE
      : !strcmp(type, "library")         ? CL_PROGRAM_BINARY_TYPE_LIBRARY
      : !strcmp(type, "compiled_object") ? CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT
                                         : CL_PROGRAM_BINARY_TYPE_NONE;
  free(type);
  return found;
}

API cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                     const cl_device_id *devices,
                                                     const size_t *lengths,
                                                     const unsigned char **binaries,
                                                     cl_int *binary_status, cl_int *errcode_ret) {
  if (!object_is(context, KIND_CONTEXT)) FAIL(CL_INVALID_CONTEXT);
  if (!devices || !num_devices || !lengths || !binaries) FAIL(CL_INVALID_VALUE);
  for (cl_uint i = 0; i < num_devices; i++) {
    if (!object_is(devices[i], KIND_DEVICE) || !context_has(context, devices[i]))
      FAIL(CL_INVALID_DEVICE);
    if (!lengths[i] || !binaries[i]) {
      if (binary_status) binary_status[i] = CL_INVALID_VALUE;
      FAIL(CL_INVALID_VALUE);
    }
  }
  cl_program program = new_program(context, num_devices, devices);
  if (!program) FAIL(CL_OUT_OF_HOST_MEMORY);
  // All devices are parts of one: their binaries are equal.
  struct artifact *artifact = &program->binary;
  artifact->bytes = malloc(lengths[0]);
  if (!artifact->bytes) {
    object_drop(program);
    FAIL(CL_OUT_OF_HOST_MEMORY);
  }
  memcpy(artifact->bytes, binaries[0], lengths[0]);
  artifact->size = lengths[0];
  if (artifact_take_digest(artifact) && artifact_load(artifact, NULL))
    program->binary_type = binary_type(artifact->meta);
  bool good = program->binary_type != CL_PROGRAM_BINARY_TYPE_NONE;
  for (cl_uint i = 0; binary_status && i < num_devices; i++)
    binary_status[i] = good ? CL_SUCCESS : CL_INVALID_BINARY;
  if (!good) {
    object_drop(program);
    FAIL(CL_INVALID_BINARY);
  }
  MADE(program);
}

API cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context,
                                                             cl_uint num_devices,
                                                             const cl_device_id *devices,
                                                             const char *names,
                                                             cl_int *errcode_ret) {
  if (!object_is(context, KIND_CONTEXT)) FAIL(CL_INVALID_CONTEXT);
  if (!devices || !num_devices || !names) FAIL(CL_INVALID_VALUE);
  for (cl_uint i = 0; i < num_devices; i++)
    if (!object_is(devices[i], KIND_DEVICE) || !context_has(context, devices[i]))
      FAIL(CL_INVALID_DEVICE);
  FAIL(CL_INVALID_VALUE); // the devices have none
}

API cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                                 cl_int *errcode_ret) {
  (void)il, (void)length;
  if (!object_is(context, KIND_CONTEXT)) FAIL(CL_INVALID_CONTEXT);
  FAIL(CL_INVALID_OPERATION); // CL_DEVICE_IL_VERSION is empty
}

void program_destroy(cl_program program) {
  build_drop(program->build);
  artifact_free(&program->binary);
  for (cl_uint i = 0; i < program->device_count; i++) object_drop(program->devices[i]);
  free(program->source);
  free(program->options);
  free(program->log);
  pthread_mutex_destroy(&program->lock);
  object_drop(program->context);
}

API cl_int CL_API_CALL clRetainProgram(cl_program program) {
  return object_retain(program, KIND_PROGRAM, CL_INVALID_PROGRAM);
}

API cl_int CL_API_CALL clReleaseProgram(cl_program program) {
  return object_release(program, KIND_PROGRAM, CL_INVALID_PROGRAM);
}

// ------------------------------------------------------------------------- build, compile, link

static cl_int check_devices(cl_program program, cl_uint num_devices, const cl_device_id *devices) {
  if (!num_devices != !devices) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < num_devices; i++) {
    bool found = false;
    for (cl_uint k = 0; k < program->device_count; k++) found |= program->devices[k] == devices[i];
    if (!found) return CL_INVALID_DEVICE;
  }
  return CL_SUCCESS;
}

// Asks for an artifact: the cache, or the compiler. The fields are those of the request, with the
// place in the cache as the second, which is set here.
static enum reply obtain(struct field *fields, size_t count, struct artifact *artifact,
                         int *connection, char **log) {
  char key[65], place[PATH_MAX];
  fields[1] = (struct field){"", 0};
  cache_key(key, fields, count);
  cache_place(key, place);
  fields[1] = (struct field){place, strlen(place)};
  *log = NULL;
  if (cache_read(place, artifact)) {
    *log = meta_value(artifact->meta, "log");
    return COMPILER_OK;
  }
  enum reply reply = COMPILER_GONE;
  for (int tries = 0; reply == COMPILER_GONE && tries < 3; tries++)
    reply = compiler_request(connection, fields, count, artifact, log);
  if (reply == COMPILER_GONE)
    *log = format_text("polycl: the compiler ended while it compiled this program (a defect of "
                       "polycl, or it was stopped); its messages are in the .log file beside its "
                       "socket\n");
  if (reply == COMPILER_OK && !artifact_load(artifact, log)) reply = COMPILER_ERROR;
  return reply;
}

// What every build replaces. The program's lock is held.
static void start_build(cl_program program, const char *options) {
  build_drop(program->build);
  program->build = NULL;
  free(program->options);
  free(program->log);
  program->options = strdup(options ? options : "");
  program->log = NULL;
  program->status = CL_BUILD_IN_PROGRESS;
}

// The program becomes what was made. Takes the artifact and the connection.
static cl_int finish_build(cl_program program, enum reply reply, struct artifact *artifact,
                           int connection, char *log, cl_int failure, cl_int wrong_options) {
  program->log = log;
  program->status = CL_BUILD_ERROR;
  if (reply == COMPILER_OK) {
    program->binary_type = binary_type(artifact->meta);
    program->build = make_build(artifact, connection);
    if (program->build) {
      program->status = CL_BUILD_SUCCESS;
      return CL_SUCCESS;
    }
    failure = CL_OUT_OF_HOST_MEMORY;
  }
  if (connection >= 0) close(connection);
  artifact_free(artifact);
  if (program->source) program->binary_type = CL_PROGRAM_BINARY_TYPE_NONE;
  return reply == COMPILER_OPTIONS ? wrong_options : failure;
}

#define SOURCE_FIELDS 7

// Whether the text may name files (`#include`, `__has_include`); a line may end within the word.
static bool may_include(const char *text) {
  for (; *text; text++) {
    const char *at = text, *word = "include";
    while (*word && (*at == *word || *at == '\\')) {
      if (*at == *word) at++, word++;
      else if (at[1] == '\n') at += 2;
      else if (at[1] == '\r' && at[2] == '\n') at += 3;
      else break;
    }
    if (!*word) return true;
  }
  return false;
}

// The fields of the requests `build` and `compile`. A program that includes nothing is the same in
// each folder: it is found in the cache wherever the host was started.
static void source_fields(struct field fields[SOURCE_FIELDS], const char *request,
                          const char *options, const char *source, char folder[PATH_MAX]) {
  const char *path = getenv("CPATH"), *c_path = getenv("C_INCLUDE_PATH");
  bool depends = may_include(source) || may_include(options);
  if (!depends || !getcwd(folder, PATH_MAX)) strcpy(folder, "/");
  const char *texts[SOURCE_FIELDS] = {request, "",     options,
                                      folder,  path ? path : "", c_path ? c_path : "",
                                      source};
  for (int i = 0; i < SOURCE_FIELDS; i++) fields[i] = (struct field){texts[i], strlen(texts[i])};
}

// The options of a build, and those of POLYCL_BUILD_OPTIONS; to be freed.
static char *all_options(const char *options) {
  const char *more = getenv("POLYCL_BUILD_OPTIONS");
  size_t size = strlen(options) + (more ? strlen(more) : 0) + 2;
  char *all = malloc(size);
  if (all) snprintf(all, size, "%s%s%s", options, more ? " " : "", more ? more : "");
  return all;
}

static cl_int build_from_source(cl_program program, const char *request, size_t header_count,
                                const struct field *headers, cl_int failure,
                                cl_int wrong_options) {
  char folder[PATH_MAX], *log;
  struct artifact artifact = {0};
  int connection = -1;
  size_t count = SOURCE_FIELDS + 2 * header_count;
  struct field *fields = calloc(count, sizeof *fields);
  char *options = all_options(program->options);
  if (!fields || !options) {
    free(fields);
    free(options);
    return CL_OUT_OF_HOST_MEMORY;
  }
  source_fields(fields, request, options, program->source, folder);
  if (header_count) memcpy(fields + SOURCE_FIELDS, headers, 2 * header_count * sizeof *headers);
  enum reply reply = obtain(fields, count, &artifact, &connection, &log);
  free(fields);
  free(options);
  return finish_build(program, reply, &artifact, connection, log, failure, wrong_options);
}

// Links the artifacts of `inputs` into `program`.
static cl_int link_artifacts(cl_program program, size_t count, const struct artifact **inputs) {
  char *log;
  struct artifact artifact = {0};
  int connection = -1;
  struct field *fields = calloc(3 + count, sizeof *fields);
  if (!fields) return CL_OUT_OF_HOST_MEMORY;
  fields[0] = (struct field){"link", 4};
  fields[2] = (struct field){program->options, strlen(program->options)};
  for (size_t i = 0; i < count; i++)
    fields[3 + i] = (struct field){inputs[i]->bytes, inputs[i]->size};
  enum reply reply = obtain(fields, 3 + count, &artifact, &connection, &log);
  free(fields);
  return finish_build(program, reply, &artifact, connection, log, CL_LINK_PROGRAM_FAILURE,
                      CL_INVALID_LINKER_OPTIONS);
}

static cl_int load_binary(cl_program program) {
  const struct artifact *input = &program->binary;
  if (program->binary_type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
    return link_artifacts(program, 1, &input);
  struct artifact copy = {.size = program->binary.size, .bytes = malloc(program->binary.size)};
  char *log = NULL;
  if (!copy.bytes) return CL_OUT_OF_HOST_MEMORY;
  memcpy(copy.bytes, program->binary.bytes, copy.size);
  enum reply reply = artifact_load(&copy, &log) ? COMPILER_OK : COMPILER_ERROR;
  return finish_build(program, reply, &copy, -1, log, CL_BUILD_PROGRAM_FAILURE,
                      CL_BUILD_PROGRAM_FAILURE);
}

API cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices,
                                      const cl_device_id *devices, const char *options,
                                      notify_function notify, void *user_data) {
  if (!object_is(program, KIND_PROGRAM)) return CL_INVALID_PROGRAM;
  cl_int error = check_devices(program, num_devices, devices);
  if (error) return error;
  if (!notify && user_data) return CL_INVALID_VALUE;
  pthread_mutex_lock(&program->lock);
  if (program->kernel_count || (!program->source && !program->binary.bytes)) {
    error = CL_INVALID_OPERATION;
  } else {
    start_build(program, options);
    error = program->source ? build_from_source(program, "build", 0, NULL,
                                                CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS)
                            : load_binary(program);
  }
  pthread_mutex_unlock(&program->lock);
  if (notify && error != CL_INVALID_OPERATION) notify(program, user_data);
  return error;
}

API cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint num_devices,
                                        const cl_device_id *devices, const char *options,
                                        cl_uint num_headers, const cl_program *headers,
                                        const char **names, notify_function notify,
                                        void *user_data) {
  if (!object_is(program, KIND_PROGRAM)) return CL_INVALID_PROGRAM;
  cl_int error = check_devices(program, num_devices, devices);
  if (error) return error;
  if (!num_headers != !headers || !num_headers != !names || (!notify && user_data))
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < num_headers; i++)
    if (!object_is(headers[i], KIND_PROGRAM) || !headers[i]->source || !names[i])
      return CL_INVALID_VALUE;
  struct field *texts = calloc(2 * (size_t)num_headers + 1, sizeof *texts);
  if (!texts) return CL_OUT_OF_HOST_MEMORY;
  for (cl_uint i = 0; i < num_headers; i++) {
    texts[2 * i] = (struct field){names[i], strlen(names[i])};
    texts[2 * i + 1] = (struct field){headers[i]->source, strlen(headers[i]->source)};
  }
  pthread_mutex_lock(&program->lock);
  if (program->kernel_count || !program->source) {
    error = CL_INVALID_OPERATION;
  } else {
    start_build(program, options);
    error = build_from_source(program, "compile", num_headers, texts, CL_COMPILE_PROGRAM_FAILURE,
                              CL_INVALID_COMPILER_OPTIONS);
  }
  pthread_mutex_unlock(&program->lock);
  free(texts);
  if (notify && error != CL_INVALID_OPERATION) notify(program, user_data);
  return error;
}

// What linking takes of a program: the result of clCompileProgram or of a link, or a binary.
static const struct artifact *linkable(cl_program program) {
  if (program->build && program->binary_type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
    return &program->build->artifact;
  if (!program->build && !program->source &&
      program->binary_type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE && program->binary.bytes)
    return &program->binary;
  return NULL;
}

API cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices,
                                         const cl_device_id *devices, const char *options,
                                         cl_uint num_programs, const cl_program *programs,
                                         notify_function notify, void *user_data,
                                         cl_int *errcode_ret) {
  if (!object_is(context, KIND_CONTEXT)) FAIL(CL_INVALID_CONTEXT);
  if (!num_devices != !devices || !num_programs || !programs || (!notify && user_data))
    FAIL(CL_INVALID_VALUE);
  for (cl_uint i = 0; i < num_devices; i++)
    if (!object_is(devices[i], KIND_DEVICE) || !context_has(context, devices[i]))
      FAIL(CL_INVALID_DEVICE);
  for (cl_uint i = 0; i < num_programs; i++)
    if (!object_is(programs[i], KIND_PROGRAM) || programs[i]->context != context)
      FAIL(CL_INVALID_PROGRAM);
  const struct artifact **inputs = calloc(num_programs, sizeof *inputs);
  cl_program program = new_program(context, num_devices ? num_devices : context->device_count,
                                   num_devices ? devices : context->devices);
  if (!inputs || !program) {
    free(inputs);
    if (program) object_drop(program);
    FAIL(CL_OUT_OF_HOST_MEMORY);
  }
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < num_programs; i++) {
    pthread_mutex_lock(&programs[i]->lock);
    inputs[i] = linkable(programs[i]);
    pthread_mutex_unlock(&programs[i]->lock);
    if (!inputs[i]) error = CL_INVALID_OPERATION;
  }
  if (!error) {
    start_build(program, options);
    error = link_artifacts(program, num_programs, inputs);
  }
  free(inputs);
  if (error == CL_INVALID_OPERATION || error == CL_INVALID_LINKER_OPTIONS) {
    object_drop(program);
    FAIL(error);
  }
  if (notify) notify(program, user_data);
  if (errcode_ret) *errcode_ret = error;
  return program; // also of a failed link: it has the log
}

API cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform) {
  return platform == &the_platform ? CL_SUCCESS : CL_INVALID_PLATFORM;
}

API cl_int CL_API_CALL clUnloadCompiler(void) { return CL_SUCCESS; }

API cl_int CL_API_CALL clSetProgramReleaseCallback(
    cl_program program, void(CL_CALLBACK *function)(cl_program, void *), void *user_data) {
  (void)function, (void)user_data;
  if (!object_is(program, KIND_PROGRAM)) return CL_INVALID_PROGRAM;
  return CL_INVALID_OPERATION; // programs have no destructors
}

API cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint id,
                                                          size_t size, const void *value) {
  (void)id, (void)size, (void)value;
  if (!object_is(program, KIND_PROGRAM)) return CL_INVALID_PROGRAM;
  return CL_INVALID_OPERATION; // it is not of an intermediate language
}

// ---------------------------------------------------------------------------------- queries

static const struct artifact *binary_of(cl_program program) {
  return program->build ? &program->build->artifact : &program->binary;
}

static cl_int answer_kernel_names(cl_program program, size_t size, void *value, size_t *size_ret) {
  const struct build *build = program->build;
  size_t length = 1;
  for (unsigned i = 0; i < build->function_count; i++) length += strlen(build->functions[i].name) + 1;
  char *text = calloc(1, length);
  if (!text) return CL_OUT_OF_HOST_MEMORY;
  for (unsigned i = 0, at = 0; i < build->function_count; i++)
    at += (unsigned)sprintf(text + at, "%s%s", i ? ";" : "", build->functions[i].name);
  cl_int error = answer(size, value, size_ret, text, strlen(text) + 1);
  free(text);
  return error;
}

static cl_int program_info(cl_program program, cl_program_info name, size_t size, void *value,
                           size_t *size_ret) {
  switch (name) {
  case CL_PROGRAM_REFERENCE_COUNT: ANSWER(cl_uint, object_references(program));
  case CL_PROGRAM_CONTEXT: ANSWER(cl_context, program->context);
  case CL_PROGRAM_NUM_DEVICES: ANSWER(cl_uint, program->device_count);
  case CL_PROGRAM_DEVICES:
    return answer(size, value, size_ret, program->devices,
                  program->device_count * sizeof *program->devices);
  case CL_PROGRAM_SOURCE: ANSWER_TEXT(program->source ? program->source : "");
  case CL_PROGRAM_IL: return answer(size, value, size_ret, NULL, 0);
  case CL_PROGRAM_BINARY_SIZES: {
    size_t sizes[MAX_DEVICES];
    const struct artifact *binary = binary_of(program);
    for (cl_uint i = 0; i < program->device_count; i++)
      sizes[i] = binary->size ? binary->size + DIGEST_BYTES : 0;
    return answer(size, value, size_ret, sizes, program->device_count * sizeof *sizes);
  }
  case CL_PROGRAM_BINARIES: {
    size_t wanted = program->device_count * sizeof(unsigned char *);
    const struct artifact *binary = binary_of(program);
    if (value && size < wanted) return CL_INVALID_VALUE;
    for (cl_uint i = 0; value && i < program->device_count; i++) {
      unsigned char *to = ((unsigned char **)value)[i];
      if (!to || !binary->size) continue;
      memcpy(to, binary->bytes, binary->size);
      artifact_digest(binary, to + binary->size);
    }
    if (size_ret) *size_ret = wanted;
    return CL_SUCCESS;
  }
  case CL_PROGRAM_NUM_KERNELS:
  case CL_PROGRAM_KERNEL_NAMES:
    if (!program->build || program->binary_type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
      return CL_INVALID_PROGRAM_EXECUTABLE;
    if (name == CL_PROGRAM_NUM_KERNELS) ANSWER(size_t, program->build->function_count);
    return answer_kernel_names(program, size, value, size_ret);
  case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
  case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT: ANSWER(cl_bool, CL_FALSE);
  default: return CL_INVALID_VALUE;
  }
}

API cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info name, size_t size,
                                        void *value, size_t *size_ret) {
  if (!object_is(program, KIND_PROGRAM)) return CL_INVALID_PROGRAM;
  pthread_mutex_lock(&program->lock);
  cl_int error = program_info(program, name, size, value, size_ret);
  pthread_mutex_unlock(&program->lock);
  return error;
}

static cl_int build_info(cl_program program, cl_program_build_info name, size_t size, void *value,
                         size_t *size_ret) {
  switch (name) {
  case CL_PROGRAM_BUILD_STATUS: ANSWER(cl_build_status, program->status);
  case CL_PROGRAM_BUILD_OPTIONS: ANSWER_TEXT(program->options ? program->options : "");
  case CL_PROGRAM_BUILD_LOG: ANSWER_TEXT(program->log ? program->log : "");
  case CL_PROGRAM_BINARY_TYPE: ANSWER(cl_program_binary_type, program->binary_type);
  case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
    ANSWER(size_t, program->build ? program->build->variable_bytes : 0);
  default: return CL_INVALID_VALUE;
  }
}

API cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                             cl_program_build_info name, size_t size, void *value,
                                             size_t *size_ret) {
  if (!object_is(program, KIND_PROGRAM)) return CL_INVALID_PROGRAM;
  if (!device || check_devices(program, 1, &device)) return CL_INVALID_DEVICE;
  pthread_mutex_lock(&program->lock);
  cl_int error = build_info(program, name, size, value, size_ret);
  pthread_mutex_unlock(&program->lock);
  return error;
}
