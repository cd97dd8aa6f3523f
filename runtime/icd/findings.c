// What POLYCL_CHECK finds: on stderr, in a file, and in the exit code of the host.
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
  pthread_mutex_t lock;
  pid_t process; // in which something was found, 0: none
  int status;    // of the host's exit
  bool exits;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

// The exit code for a host in which something was found and that would exit with 0.
static int wanted_status(void) {
  const char *text = getenv("POLYCL_CHECK_EXIT");
  if (!text || !*text) return 1;
  char *end;
  long status = strtol(text, &end, 10);
  if (!*end && status >= 0 && status <= 255) return (int)status;
  fprintf(stderr, "polycl: POLYCL_CHECK_EXIT is '%s'; expected a number from 0 to 255: it is 1\n",
          text);
  return 1;
}

static void add_to_log(const char *text) {
  const char *name = getenv("POLYCL_CHECK_LOG");
  if (!name || !*name) return;
  FILE *file = fopen(name, "a");
  if (!file || fputs(text, file) < 0 || fclose(file))
    fprintf(stderr, "polycl: POLYCL_CHECK_LOG: cannot write '%s'\n", name);
}

void report_findings(const char *text, bool errors) {
  pthread_mutex_lock(&state.lock);
  if (text && *text) {
    bool ends = text[strlen(text) - 1] == '\n';
    fprintf(stderr, "%s%s", text, ends ? "" : "\n");
    add_to_log(text);
  }
  if (errors) state.process = getpid();
  pthread_mutex_unlock(&state.lock);
}

#ifdef __GLIBC__
static void note_status(int status, void *unused) {
  (void)unused;
  state.status = status;
  state.exits = true;
}

__attribute__((constructor)) static void watch_exit(void) { on_exit(note_status, NULL); }

// After all functions of the host that run at its exit.
__attribute__((destructor)) static void set_exit_code(void) {
  if (!state.exits || state.status || state.process != getpid()) return;
  int status = wanted_status();
  if (!status) return;
  fflush(NULL);
  _exit(status);
}
#endif
