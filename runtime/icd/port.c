// POLYCL_PORT: launches run as `polycl port` decided for the same launches of a recorded run.
//
// A built program's decisions are in FOLDER/DIGEST.port, DIGEST that of its sources; `runtime/host/port/decisions.py` documents
// the lines. A launch for which there is none, or whose sizes or arguments differ, runs as without.
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// An argument passed by value, with the value for which the code is.
struct constant {
  unsigned position;
  uint64_t value;
};

struct decision {
  struct decision *next;
  bool any_global;        // else it is for this global size
  size_t global[3];
  size_t local[3];        // that the program gives; 0: it gives none
  size_t group[3];        // to run in; 0: as without a decision
  char *words;            // for the compiler
  unsigned constant_count;
  struct constant constants[];
};

// --------------------------------------------------------------------------------- the folder

static char folder[PATH_MAX]; // empty: there are no decisions

static void find_folder(void) {
  const char *wanted = getenv("POLYCL_PORT");
  if (!wanted || !*wanted) return;
  if (strchr(wanted, '/')) {
    snprintf(folder, sizeof folder, "%.4000s", wanted);
  } else if (!strcmp(wanted, "polycl-cpu")) {
    cache_place("port-polycl-cpu", folder);
  } else {
    fprintf(stderr,
            "polycl: POLYCL_PORT is '%s'; expected polycl-cpu, or a folder with a / in its name: "
            "it is ignored\n",
            wanted);
    return;
  }
  if (!*folder || access(folder, R_OK)) {
    fprintf(stderr,
            "polycl: POLYCL_PORT: there is no folder '%s'; record a run by POLYCL_RECORD=DIR, and "
            "run `polycl port DIR`\n",
            folder);
    *folder = 0;
  }
}

// ---------------------------------------------------------------------------------- the files

static bool read_sizes(const char *text, const char *none, size_t sizes[3]) {
  if (!strcmp(text, none)) return memset(sizes, 0, 3 * sizeof *sizes), true;
  int end = 0;
  return sscanf(text, "%zu %zu %zu%n", &sizes[0], &sizes[1], &sizes[2], &end) == 3 && !text[end] &&
         sizes[0] && sizes[1] && sizes[2];
}

static unsigned count_constants(const char *words) {
  unsigned count = 0;
  for (; *words && *words != ' '; words++) count += *words == ':';
  return count;
}

// Reads constants=POSITION:VALUE,... for a function; false: it is something else.
static bool read_constants(const char *words, const struct function *function,
                           struct decision *decision) {
  unsigned count = strncmp(words, "constants=", 10) ? 0 : count_constants(words);
  const char *at = words + 10;
  for (unsigned i = 0; i < count; i++) {
    struct constant *constant = &decision->constants[i];
    int end = 0;
    unsigned long long value;
    if (sscanf(at, "%u:%llu%n", &constant->position, &value, &end) != 2) return false;
    constant->value = value;
    at += end;
    if (*at != (i + 1 < count ? ',' : ' ') && *at) return false;
    if (*at) at++;
    if (constant->position >= function->parameter_count) return false;
    const struct parameter *parameter = &function->parameters[constant->position];
    if (parameter->kind != 'v' || parameter->size > sizeof constant->value) return false;
  }
  decision->constant_count = count;
  return true;
}

static struct decision *read_decision(const struct meta_line *line,
                                      const struct function *function) {
  const char *words = line->fields[4];
  struct decision *decision =
      calloc(1, sizeof *decision + count_constants(words) * sizeof *decision->constants);
  if (!decision) return NULL;
  decision->any_global = !strcmp(line->fields[1], "*");
  if (read_sizes(line->fields[1], "*", decision->global) &&
      read_sizes(line->fields[2], "-", decision->local) &&
      read_sizes(line->fields[3], "-", decision->group) &&
      read_constants(words, function, decision) && (decision->words = strdup(words)))
    return decision;
  free(decision);
  return NULL;
}

static struct function *find_function(struct build *build, const char *name) {
  for (unsigned i = 0; i < build->function_count; i++)
    if (!strcmp(build->functions[i].name, name)) return &build->functions[i];
  return NULL;
}

static void read_file(struct build *build, const char *path) {
  unsigned char *text;
  size_t size;
  if (!file_read(path, &text, &size)) return; // nothing was decided for this program
  struct meta_line line = {0};
  unsigned number = 0;
  for (const char *at = (const char *)text; meta_next(&at, &line);) {
    struct function *function = find_function(build, line.fields[0]);
    struct decision *decision = function ? read_decision(&line, function) : NULL;
    number++;
    if (decision) {
      decision->next = function->decisions;
      function->decisions = decision;
    } else {
      fprintf(stderr,
              "polycl: %s:%u:1: POLYCL_PORT: expected a decision about a kernel of the program; "
              "the line is ignored: make it again by `polycl port`\n",
              path, number);
    }
  }
  free(line.text);
  free(text);
}

void port_start(struct build *build) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  char path[PATH_MAX + 64];
  pthread_once(&once, find_folder);
  char *digest = *folder ? meta_value(build->artifact.meta, "sources") : NULL;
  if (digest) {
    snprintf(path, sizeof path, "%s/%.50s.port", folder, digest);
    read_file(build, path);
  }
  free(digest);
}

void port_free(struct decision *decisions) {
  while (decisions) {
    struct decision *next = decisions->next;
    free(decisions->words);
    free(decisions);
    decisions = next;
  }
}

// ----------------------------------------------------------------------------------- launches

static bool constants_hold(const struct decision *decision, cl_kernel kernel) {
  for (unsigned i = 0; i < decision->constant_count; i++) {
    const struct constant *constant = &decision->constants[i];
    const struct parameter *parameter = &kernel->function->parameters[constant->position];
    uint64_t value = 0; // the bytes of a little-endian number
    memcpy(&value, kernel->block + parameter->offset, parameter->size);
    if (value != constant->value) return false;
  }
  return true;
}

const struct decision *port_find(cl_kernel kernel, const size_t global[3], const size_t *local) {
  static const size_t none[3] = {0};
  const struct decision *decision = kernel->function->decisions;
  const size_t bytes = sizeof decision->global;
  for (; decision; decision = decision->next)
    if ((decision->any_global || !memcmp(decision->global, global, bytes)) &&
        !memcmp(decision->local, local ? local : none, bytes) && constants_hold(decision, kernel))
      return decision;
  return NULL;
}

const char *port_words(const struct decision *decision) { return decision->words; }

const size_t *port_group(const struct decision *decision) {
  return decision && decision->group[0] ? decision->group : NULL;
}
