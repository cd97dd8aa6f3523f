// The connection to the compiler: a server of this account, started when nobody listens.
//
// A message is a number of fields (u32), and each field's length (u64) and bytes, little-endian. A
// connection belongs to one program: the server keeps what it imported.
#include "driver.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define START_SECONDS 60
#define MOST_BYTES ((uint64_t)1 << 32) // of a field; more is not a reply of the server

extern char **environ;

// ------------------------------------------------------------------------------ the server

// A folder that only this user can enter.
static bool private_folder(const char *path) {
  struct stat status;
  if (mkdir(path, 0700) < 0 && errno != EEXIST) return false;
  return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & 077) == 0;
}

static bool socket_path(char path[PATH_MAX], char **log) {
  const char *runtime = getenv("XDG_RUNTIME_DIR");
  char folder[PATH_MAX], name[33];
  int length = 0;
  bool found = false;
  if (runtime && runtime[0] == '/') {
    length = snprintf(folder, sizeof folder, "%s/polycl", runtime);
    found = length < 80 && private_folder(folder);
  }
  if (!found) {
    snprintf(folder, sizeof folder, "/tmp/polycl-%u", (unsigned)geteuid());
    found = private_folder(folder);
  }
  if (!found) {
    *log = format_text("polycl: the compiler needs the folder %s for its socket; it cannot be "
                       "made, or others can write to it: remove it, or set XDG_RUNTIME_DIR\n",
                       folder);
    return false;
  }
  hexadecimal(name, source_digest(), 8); // as polycl.runtime.compiler_server does
  snprintf(path, PATH_MAX, "%.4000s/%s.sock", folder, name);
  return true;
}

static bool is_program(const char *path) { return path[0] == '/' && access(path, X_OK) == 0; }

// The Python interpreter with polycl: POLYCL_PYTHON, the one in interpreter.txt beside the driver,
// or that of the installation …/lib/pythonX.Y/site-packages/polycl/runtime/icd.
static bool find_interpreter(char path[PATH_MAX], char **log) {
  const char *chosen = getenv("POLYCL_PYTHON");
  char file[PATH_MAX + 32], version[64];
  unsigned char *bytes;
  size_t size;
  if (chosen && *chosen) {
    snprintf(path, PATH_MAX, "%s", chosen);
    if (is_program(path)) return true;
    *log = format_text("polycl: POLYCL_PYTHON is '%s', which is not a program; set it to the "
                       "absolute path of the Python interpreter that has polycl\n", chosen);
    return false;
  }
  snprintf(file, sizeof file, "%s/interpreter.txt", driver_folder());
  if (file_read(file, &bytes, &size)) {
    snprintf(path, PATH_MAX, "%.*s", (int)strcspn((char *)bytes, "\n"), (char *)bytes);
    free(bytes);
    if (is_program(path)) return true;
  }
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s", driver_folder());
  for (int up = 0; up < 5 && strrchr(folder, '/'); up++) {
    char *slash = strrchr(folder, '/');
    snprintf(version, sizeof version, "%s", slash + 1);
    *slash = 0;
  } // …/lib, and version is "pythonX.Y"
  char *lib = strrchr(folder, '/');
  if (lib && !strncmp(version, "python", 6)) {
    *lib = 0;
    snprintf(path, PATH_MAX, "%.3000s/bin/%s", folder, version);
    if (is_program(path)) return true;
    snprintf(path, PATH_MAX, "%.3000s/bin/python3", folder);
    if (is_program(path)) return true;
  }
  *log = format_text("polycl: the Python interpreter that has polycl was not found (the driver is "
                     "in %s); set POLYCL_PYTHON to its absolute path, or run `polycl icd` once\n",
                     driver_folder());
  return false;
}

// The host's environment without what changes another Python process.
static char **clean_environment(void) {
  size_t count = 0, kept = 0;
  while (environ[count]) count++;
  char **clean = calloc(count + 1, sizeof *clean);
  for (size_t i = 0; clean && i < count; i++)
    if (strncmp(environ[i], "PYTHON", 6) && strncmp(environ[i], "LD_PRELOAD=", 11))
      clean[kept++] = environ[i];
  return clean;
}

static bool start_server(const char *python, const char *path, pid_t *server, char **log) {
  char log_path[PATH_MAX + 8];
  snprintf(log_path, sizeof log_path, "%s.log", path);
  char *arguments[] = {(char *)python, "-E", "-P", "-m", "polycl.runtime.icd.server", (char *)path,
                       NULL};
  char **environment = clean_environment();
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGCHLD);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, log_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int error = environment ? posix_spawn(server, python, &actions, &attributes, arguments,
                                        environment)
                          : ENOMEM;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  free(environment);
  if (error)
    *log = format_text("polycl: the compiler cannot be started: %s: %s\n", python, strerror(error));
  return !error;
}

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection >= 0 && connect(connection, (struct sockaddr *)&address, sizeof address) < 0) {
    close(connection);
    connection = -1;
  }
  return connection;
}

// The last part of what a failed server wrote to its log.
static char *failure_log(const char *path, const char *what) {
  char log_path[PATH_MAX + 8];
  unsigned char *bytes = NULL;
  size_t size = 0;
  snprintf(log_path, sizeof log_path, "%s.log", path);
  if (!file_read(log_path, &bytes, &size)) bytes = NULL;
  const char *text = bytes ? (const char *)bytes + (size > 2000 ? size - 2000 : 0) : "";
  char *log = format_text("polycl: %s; its messages (%s):\n%s\n", what, log_path, text);
  free(bytes);
  return log;
}

static int open_connection(char **log) {
  char path[PATH_MAX], python[PATH_MAX];
  if (!socket_path(path, log)) return -1;
  int connection = connect_to(path);
  if (connection >= 0) return connection;
  if (!find_interpreter(python, log)) return -1;
  pid_t server;
  if (!start_server(python, path, &server, log)) return -1;
  bool reaped = false;
  for (int tries = 0; tries < START_SECONDS * 200; tries++) {
    if ((connection = connect_to(path)) >= 0) break;
    int status;
    // The host may reap its children itself: then only the time tells.
    if (!reaped && waitpid(server, &status, WNOHANG) == server) {
      reaped = true;
      if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        *log = failure_log(path, "the compiler did not start");
        return -1;
      }
    }
    nanosleep(&(struct timespec){0, 5000000}, NULL);
  }
  if (!reaped) waitpid(server, NULL, WNOHANG);
  if (connection < 0) *log = failure_log(path, "the compiler did not answer");
  return connection;
}

// --------------------------------------------------------------------------------- messages

static bool send_all(int connection, const void *data, size_t size) {
  while (size) {
    ssize_t sent = send(connection, data, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    data = (const char *)data + sent;
    size -= (size_t)sent;
  }
  return true;
}

static bool receive_all(int connection, void *data, size_t size) {
  while (size) {
    ssize_t got = recv(connection, data, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data = (char *)data + got;
    size -= (size_t)got;
  }
  return true;
}

static bool send_fields(int connection, const struct field *fields, size_t count) {
  uint32_t number = (uint32_t)count;
  if (!send_all(connection, &number, sizeof number)) return false;
  for (size_t i = 0; i < count; i++) {
    uint64_t size = fields[i].size;
    if (!send_all(connection, &size, sizeof size) ||
        !send_all(connection, fields[i].data, fields[i].size))
      return false;
  }
  return true;
}

// The four fields of a reply, each malloc'ed and ended by a zero byte.
static bool receive_reply(int connection, char *fields[4], uint64_t sizes[4]) {
  uint32_t number;
  if (!receive_all(connection, &number, sizeof number) || number != 4) return false;
  for (int i = 0; i < 4; i++) {
    if (!receive_all(connection, &sizes[i], sizeof sizes[i]) || sizes[i] > MOST_BYTES ||
        !(fields[i] = calloc(1, sizes[i] + 1)) ||
        !receive_all(connection, fields[i], sizes[i]))
      return false;
  }
  return true;
}

enum reply compiler_request(int *connection, const struct field *fields, size_t count,
                            struct artifact *artifact, char **log) {
  char *reply[4] = {NULL};
  uint64_t sizes[4];
  *log = NULL;
  if (*connection < 0) *connection = open_connection(log);
  if (*connection < 0) return COMPILER_ABSENT;
  enum reply result = COMPILER_GONE;
  if (send_fields(*connection, fields, count) && receive_reply(*connection, reply, sizes)) {
    result = !strcmp(reply[0], "ok")        ? COMPILER_OK
             : !strcmp(reply[0], "options") ? COMPILER_OPTIONS
                                            : COMPILER_ERROR;
    *log = reply[1];
    reply[1] = NULL;
    if (result == COMPILER_OK && artifact && sizes[2] && !artifact_from_file(reply[2], artifact))
      result = COMPILER_GONE; // the entry was removed meanwhile
    if (result == COMPILER_OK && artifact && !sizes[2]) {
      artifact->bytes = (unsigned char *)reply[3];
      artifact->size = sizes[3];
      reply[3] = NULL;
    }
  }
  for (int i = 0; i < 4; i++) free(reply[i]);
  if (result == COMPILER_GONE) {
    close(*connection);
    *connection = -1;
    free(*log);
    *log = NULL;
  }
  return result;
}
