// POLYCL_RECORD=DIR: every command with its data, from which `polycl record` makes a host program.
//
// DIR/NAME.log has one line of JSON for each event, in the order in which commands ended: this is an
// order in which an in-order queue could execute them, since a command's line is written before
// those that depend on it start. A line is written by one call of write, after the files that it
// names: what was recorded before a crash can be read. Data are arrays of bytes in files named by
// their digest, HASH.npy; a built program is HASH.program, the artifact of the compiler.
// `runtime/host/driver_log.py` reads all this.
#include "driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HASH_TEXT 33 // half a digest, as text
#define NPY_HEADER 128

bool recording; // whether POLYCL_RECORD names a folder

static struct {
  pthread_mutex_t lock; // of the following, and of the order of lines
  char folder[PATH_MAX - 64];
  int file;
  unsigned generation; // of the process that writes
  uint64_t buffers, programs;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = -1};

// What a command is in the recording; of a transfer with the host also where its data are.
struct record {
  char *text; // the start of its line
  const char *host;
  size_t region[3], row, slice;
  unsigned count;
  cl_mem memories[]; // that it reads or writes
};

// ------------------------------------------------------------------------------------- files

static void stop(const char *what, const char *path) {
  fprintf(stderr, "polycl: POLYCL_RECORD: cannot %s '%s': %s; the recording ends here\n", what,
          path, strerror(errno));
  if (state.file >= 0) close(state.file);
  state.file = -1;
}

// A new file DIR/NAME.log, or DIR/NAME-2.log, ...
static void open_log(void) {
  char path[PATH_MAX];
  const char *slash = strrchr(program_invocation_short_name, '/');
  const char *name = slash ? slash + 1 : program_invocation_short_name;
  for (unsigned number = 1; state.file < 0; number++) {
    if (number == 1)
      snprintf(path, sizeof path, "%s/%.50s.log", state.folder, name);
    else
      snprintf(path, sizeof path, "%s/%.40s-%u.log", state.folder, name, number);
    state.file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
    if (state.file < 0 && errno != EEXIST) {
      stop("write to", path);
      return;
    }
  }
}

static bool make_folders(const char *path) {
  char part[PATH_MAX];
  if (strlen(path) >= sizeof part) return errno = ENAMETOOLONG, false;
  for (const char *end = strchr(path + 1, '/'); end; end = strchr(end + 1, '/')) {
    snprintf(part, sizeof part, "%.*s", (int)(end - path), path);
    mkdir(part, 0755); // the last one tells
  }
  return mkdir(path, 0755) == 0 || errno == EEXIST;
}

static void start(void) {
  const char *folder = getenv("POLYCL_RECORD");
  char real[PATH_MAX];
  if (!folder || !*folder) return;
  if (!make_folders(folder)) {
    stop("make the folder", folder);
    return;
  }
  bool is_found = realpath(folder, real);
  if (is_found && strlen(real) >= sizeof state.folder) {
    errno = ENAMETOOLONG;
    is_found = false;
  }
  if (!is_found) {
    stop("find", folder);
    return;
  }
  strcpy(state.folder, real);
  state.generation = process_generation();
  open_log();
  recording = state.file >= 0;
}

void record_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
}

// Called with the lock. A forked process has no part in the recording.
static bool is_open(void) { return state.file >= 0 && state.generation == process_generation(); }

static void write_line(const char *text) {
  size_t length = strlen(text);
  if (is_open() && write(state.file, text, length) != (ssize_t)length) stop("write to", "the log");
}

static bool write_all(int file, const void *data, size_t size) {
  for (const char *at = data; size;) {
    ssize_t done = write(file, at, size);
    if (done <= 0) return false;
    at += done, size -= (size_t)done;
  }
  return true;
}

// Calls `use` for each row of what lies at `data`.
static bool each_row(const char *data, const size_t region[3], size_t row, size_t slice,
                     bool (*use)(void *context, const void *data, size_t size), void *context) {
  if (row == region[0] && slice == row * region[1])
    return use(context, data, region[0] * region[1] * region[2]);
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      if (!use(context, data + z * slice + y * row, region[0])) return false;
  return true;
}

static bool add_to_hash(void *hash, const void *data, size_t size) {
  sha256_add(hash, data, size);
  return true;
}

static bool add_to_file(void *file, const void *data, size_t size) {
  return write_all(*(int *)file, data, size);
}

static void digest_text(struct sha256 *hash, char text[HASH_TEXT]) {
  unsigned char digest[DIGEST_BYTES];
  sha256_end(hash, digest);
  hexadecimal(text, digest, HASH_TEXT / 2);
}

// Writes the file of data that are not there yet; `text` is the digest in its name. The file is
// complete, or it does not have this name.
static void write_data(const char *data, const size_t region[3], size_t row, size_t slice,
                       const char *suffix, bool is_array, char text[HASH_TEXT]) {
  struct sha256 hash;
  sha256_start(&hash);
  each_row(data, region, row, slice, add_to_hash, &hash);
  digest_text(&hash, text);
  char path[PATH_MAX], made[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s%s", state.folder, text, suffix);
  snprintf(made, sizeof made, "%s/.%s-%d", state.folder, text, (int)getpid());
  if (!is_open() || access(path, F_OK) == 0) return;
  int file = open(made, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  char header[NPY_HEADER] = "\x93NUMPY\x01";
  header[8] = NPY_HEADER - 10;
  memset(header + 10, ' ', NPY_HEADER - 10);
  header[10 + sprintf(header + 10, "{'descr': '|u1', 'fortran_order': False, 'shape': (%zu,), }",
                      region[0] * region[1] * region[2])] = ' ';
  header[NPY_HEADER - 1] = '\n';
  bool good = file >= 0 && (!is_array || write_all(file, header, NPY_HEADER)) &&
              each_row(data, region, row, slice, add_to_file, &file);
  if (file >= 0 && close(file) != 0) good = false;
  if (!good || rename(made, path) != 0) stop("write", path);
}

// ----------------------------------------------------------------------------------- memory

// Whether the recording has the memory. Images in other memory it has not.
static bool is_known(cl_mem memory) { return is_buffer(memory) || memory->recorded; }

// The bytes, rows and slices of all contents.
static void region_of(cl_mem memory, size_t region[3]) {
  region[0] = memory->size, region[1] = region[2] = 1;
  if (is_image(memory)) image_region(memory, region);
}

static void write_contents(cl_mem memory, char text[HASH_TEXT]) {
  size_t region[3], row = memory->size, slice = memory->size;
  region_of(memory, region);
  if (is_image(memory)) row = image_row(memory), slice = memory->slice_pitch;
  write_data(memory->data, region, row, slice, ".npy", true, text);
}

static cl_mem root_of(cl_mem memory) { return memory->parent ? memory->parent : memory; }

// Whether the host may change the contents without a command.
static bool is_exposed(cl_mem root) { return root->host_ptr || root->map_count; }

static void digest_of(cl_mem root, unsigned char digest[DIGEST_BYTES]) {
  struct sha256 hash;
  sha256_start(&hash);
  sha256_add(&hash, root->data, root->size);
  sha256_end(&hash, digest);
}

void record_memory(cl_mem memory) {
  char line[256], hash[HASH_TEXT];
  size_t region[3];
  region_of(memory, region);
  pthread_mutex_lock(&state.lock);
  memory->recorded = ++state.buffers;
  char *end = line + sprintf(line, "{\"op\":\"%s\",\"id\":%llu,\"size\":%zu",
                             is_image(memory) ? "image" : "buffer",
                             (unsigned long long)memory->recorded,
                             region[0] * region[1] * region[2]);
  if (is_image(memory))
    end += sprintf(end, ",\"type\":%u,\"sizes\":[%zu,%zu,%zu],\"order\":%u,\"channel\":%u",
                   memory->type, region[0] / memory->element_size, region[1], region[2],
                   memory->format.image_channel_order, memory->format.image_channel_data_type);
  if (memory->parent) {
    sprintf(end, ",\"parent\":%llu,\"offset\":%zu}\n",
            (unsigned long long)memory->parent->recorded, memory->offset);
  } else if (memory->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) {
    write_contents(memory, hash);
    sprintf(end, ",\"data\":\"%s\"}\n", hash);
    if (memory->host_ptr) digest_of(memory, memory->known);
  } else {
    strcpy(end, "}\n");
  }
  write_line(line);
  pthread_mutex_unlock(&state.lock);
}

void record_released(cl_mem memory) {
  char line[64];
  if (!memory->recorded) return;
  snprintf(line, sizeof line, "{\"op\":\"release\",\"id\":%llu}\n",
           (unsigned long long)memory->recorded);
  pthread_mutex_lock(&state.lock);
  write_line(line);
  pthread_mutex_unlock(&state.lock);
}

// ---------------------------------------------------------------------------------- commands

static struct record *new_record(cl_event command, unsigned count) {
  struct record *record = calloc(1, sizeof *record + count * sizeof *record->memories);
  command->record = record;
  return record;
}

void record_free(struct record *record) {
  if (record) free(record->text);
  free(record);
}

static void use_memory(struct record *record, cl_mem memory) {
  record->memories[record->count++] = root_of(memory);
}

// The offset of an address. The rows and slices of an image follow one another in the recording.
static size_t place_in(cl_mem memory, const char *address, size_t *row, size_t *slice) {
  size_t region[3];
  if (!is_image(memory)) return (size_t)(address - root_of(memory)->data);
  region_of(memory, region);
  *row = region[0];
  *slice = region[0] * region[1];
  return image_place(memory, address);
}

// A transfer between buffers or images, or one and the host's memory: then `second` is NULL.
void record_rect(cl_event command, const char *to, size_t to_row, size_t to_slice, const char *from,
                 size_t from_row, size_t from_slice, const size_t region[3], cl_mem first,
                 cl_mem second) {
  if (!is_known(first) || (second && !is_known(second))) return; // refused at the end
  struct record *record = new_record(command, 2);
  if (!record) return;
  use_memory(record, first);
  if (second) {
    use_memory(record, second);
    size_t from_place = place_in(first, from, &from_row, &from_slice);
    size_t to_place = place_in(second, to, &to_row, &to_slice);
    record->text = format_text(
        "{\"op\":\"copy\",\"from\":%llu,\"from_offset\":%zu,\"from_row\":%zu,\"from_slice\":%zu,"
        "\"to\":%llu,\"to_offset\":%zu,\"to_row\":%zu,\"to_slice\":%zu,\"region\":[%zu,%zu,%zu]",
        (unsigned long long)record->memories[0]->recorded, from_place, from_row, from_slice,
        (unsigned long long)record->memories[1]->recorded, to_place, to_row, to_slice, region[0],
        region[1], region[2]);
    return;
  }
  bool reads = command->type == CL_COMMAND_READ_BUFFER ||
               command->type == CL_COMMAND_READ_BUFFER_RECT ||
               command->type == CL_COMMAND_MAP_BUFFER || command->type == CL_COMMAND_READ_IMAGE ||
               command->type == CL_COMMAND_MAP_IMAGE;
  record->host = reads ? to : from;
  record->row = reads ? to_row : from_row;
  record->slice = reads ? to_slice : from_slice;
  memcpy(record->region, region, sizeof record->region);
  size_t row = reads ? from_row : to_row, slice = reads ? from_slice : to_slice;
  size_t place = place_in(first, reads ? from : to, &row, &slice);
  record->text = format_text(
      "{\"op\":\"%s\",\"buffer\":%llu,\"offset\":%zu,\"row\":%zu,\"slice\":%zu,"
      "\"region\":[%zu,%zu,%zu]",
      reads ? "read" : "write", (unsigned long long)record->memories[0]->recorded, place, row, slice,
      region[0], region[1], region[2]);
}

void record_copy(cl_event command, const char *to, const char *from, size_t size, cl_mem first,
                 cl_mem second) {
  const size_t region[3] = {size, 1, 1};
  record_rect(command, to, size, size, from, size, size, region, first, second);
}

void record_fill(cl_event command, const char *to, size_t size, const void *pattern,
                 size_t pattern_size, cl_mem memory) {
  char text[2 * 128 + 1];
  if (!is_buffer(memory)) return;
  struct record *record = new_record(command, 1);
  size_t none;
  if (!record) return;
  use_memory(record, memory);
  hexadecimal(text, pattern, pattern_size);
  record->text = format_text("{\"op\":\"fill\",\"buffer\":%llu,\"offset\":%zu,\"size\":%zu,"
                             "\"pattern\":\"%s\"",
                             (unsigned long long)record->memories[0]->recorded,
                             place_in(memory, to, &none, &none), size, text);
}

// Nothing happens to the data, or nothing that is recorded.
void record_nothing(cl_event command) { new_record(command, 0); }

static void write_sizes(FILE *stream, const char *name, const size_t *sizes, cl_uint dimensions) {
  fprintf(stream, ",\"%s\":[", name);
  for (cl_uint i = 0; i < dimensions; i++) fprintf(stream, "%s%zu", i ? "," : "", sizes[i]);
  fputc(']', stream);
}

// One argument: b buffer, n no buffer, a address (SVM), l local memory, v value, i image, s sampler,
// p pipe. An image in other memory has no number.
static void write_argument(FILE *stream, cl_kernel kernel, unsigned index) {
  const struct parameter *parameter = &kernel->function->parameters[index];
  const struct argument *argument = &kernel->arguments[index];
  switch (parameter->kind) {
  case 'g':
    if (argument->memory)
      fprintf(stream, "b%llu", (unsigned long long)argument->memory->recorded);
    else
      fputc(argument->address ? 'a' : 'n', stream);
    break;
  case 'l': fprintf(stream, "l%zu", argument->bytes); break;
  case 'i':
    fputc('i', stream);
    if (argument->memory && is_known(argument->memory))
      fprintf(stream, "%llu", (unsigned long long)argument->memory->recorded);
    break;
  case 'v':
  case 's': // the bits of a sampler
    fputc(parameter->kind, stream);
    for (size_t i = 0; i < parameter->size; i++)
      fprintf(stream, "%02x", kernel->block[parameter->offset + i]);
    break;
  default: fputc(parameter->kind, stream);
  }
}

// The number of a program, whose artifact is written when it is used first.
static uint64_t program_number(struct build *build) {
  char line[128], hash[HASH_TEXT];
  pthread_mutex_lock(&state.lock);
  if (!build->recorded) {
    build->recorded = ++state.programs;
    const size_t region[3] = {build->artifact.size, 1, 1};
    write_data((const char *)build->artifact.bytes, region, region[0], region[0], ".program", false,
               hash);
    snprintf(line, sizeof line, "{\"op\":\"program\",\"id\":%llu,\"file\":\"%s.program\"}\n",
             (unsigned long long)build->recorded, hash);
    write_line(line);
  }
  uint64_t number = build->recorded;
  pthread_mutex_unlock(&state.lock);
  return number;
}

void record_launch(cl_event command, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                   const size_t *global, const size_t *local, const size_t *chosen) {
  const struct function *function = kernel->function;
  struct record *record = new_record(command, function->parameter_count);
  size_t size;
  FILE *stream = record ? open_memstream(&record->text, &size) : NULL;
  if (!stream) return;
  fprintf(stream, "{\"op\":\"launch\",\"program\":%llu,\"kernel\":\"%s\"",
          (unsigned long long)program_number(kernel->build), function->name);
  write_sizes(stream, "global", global, dimensions);
  if (local) write_sizes(stream, "local", local, dimensions);
  else write_sizes(stream, "chosen", chosen, dimensions);
  if (offset) write_sizes(stream, "offset", offset, dimensions);
  fprintf(stream, ",\"arguments\":[");
  for (unsigned i = 0; i < function->parameter_count; i++) {
    fprintf(stream, "%s\"", i ? "," : "");
    write_argument(stream, kernel, i);
    fputc('"', stream);
    if (kernel->arguments[i].memory && is_known(kernel->arguments[i].memory))
      use_memory(record, kernel->arguments[i].memory);
  }
  fputc(']', stream);
  fclose(stream);
}

// ---------------------------------------------------------------------------------- execution

// What the host has done to memory that it sees is a write before the command.
void record_begin(cl_event command) {
  struct record *record = command->record;
  char line[256], hash[HASH_TEXT];
  size_t region[3];
  for (unsigned i = 0; record && i < record->count; i++) {
    cl_mem root = record->memories[i];
    unsigned char digest[DIGEST_BYTES];
    if (!is_exposed(root)) continue;
    pthread_mutex_lock(&state.lock);
    digest_of(root, digest);
    if (memcmp(digest, root->known, sizeof digest)) {
      memcpy(root->known, digest, sizeof digest);
      write_contents(root, hash);
      region_of(root, region);
      snprintf(line, sizeof line,
               "{\"op\":\"write\",\"buffer\":%llu,\"offset\":0,\"row\":%zu,\"slice\":%zu,"
               "\"region\":[%zu,%zu,%zu],\"data\":\"%s\"}\n",
               (unsigned long long)root->recorded, region[0], region[0] * region[1], region[0],
               region[1], region[2], hash);
      write_line(line);
    }
    pthread_mutex_unlock(&state.lock);
  }
}

// Commands that change nothing that is recorded.
static bool is_silent(cl_command_type type) {
  return type == CL_COMMAND_MARKER || type == CL_COMMAND_BARRIER || type == CL_COMMAND_USER ||
         type == CL_COMMAND_MIGRATE_MEM_OBJECTS;
}

void record_end(cl_event command) {
  struct record *record = command->record;
  char hash[HASH_TEXT], *line = NULL;
  if (command->result || (!record && is_silent(command->type))) return;
  if (record && !record->text && !record->count) return;
  pthread_mutex_lock(&state.lock);
  if (!record || !record->text) {
    line = format_text("{\"op\":\"refused\",\"command\":%u}\n", command->type);
  } else if (record->host) {
    write_data(record->host, record->region, record->row, record->slice, ".npy", true, hash);
    line = format_text("%s,\"data\":\"%s\"}\n", record->text, hash);
  } else {
    line = format_text("%s}\n", record->text);
  }
  if (line) write_line(line);
  else stop("remember", "a command");
  for (unsigned i = 0; record && i < record->count; i++)
    if (is_exposed(record->memories[i])) digest_of(record->memories[i], record->memories[i]->known);
  pthread_mutex_unlock(&state.lock);
  free(line);
}
