// A kernel that crashes ends the host, as it must: with a line that names the kernel.
//
// The handlers act only on threads that execute a kernel. All else goes to the host's handlers.
#include "driver.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static const struct {
  int number;
  const char *text;
} crashes[] = {
    {SIGSEGV, "an access to memory that is not the process's (out of bounds, or a stack overflow)"},
    {SIGBUS, "an access to memory that is not there"},
    {SIGFPE, "a division by zero, or one that overflows"},
    {SIGILL, "an instruction that this processor does not have"},
};
#define CRASHES (sizeof crashes / sizeof *crashes)
static struct sigaction previous[CRASHES];

// The instruction at which the thread was interrupted; NULL: it is not known.
static const void *instruction_of(const void *context) {
  const ucontext_t *state = context;
#if defined __x86_64__
  return (const void *)state->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
  return (const void *)state->uc_mcontext.pc;
#else
  return state ? NULL : state;
#endif
}

// Only what a signal handler may call.
static void report(const char *reason, const void *context) {
  char line[800];
  size_t global[3], local[3];
  const char *name = describe_launch(global, local);
  const char *place = line_at(instruction_of(context));
  const char *advice =
      *place ? "POLYCL_CHECK=1 says what is wrong there" : "set POLYCL_CHECK=1 to find the place";
  int length = snprintf(line, sizeof line,
                        "polycl: kernel '%.200s' crashed%s%s: %s. It was launched with the global "
                        "size %zu x %zu x %zu and the local size %zu x %zu x %zu; %s\n",
                        name, *place ? " at " : "", place, reason, global[0], global[1], global[2], local[0], local[1],
                        local[2], advice);
  if (length > 0 && write(2, line, (size_t)length) < 0) return;
}

static void handle(int number, siginfo_t *info, void *context) {
  size_t which = 0;
  while (which < CRASHES - 1 && crashes[which].number != number) which++;
  // Several threads may crash in the same launch.
  static atomic_flag reported = ATOMIC_FLAG_INIT;
  if (is_launching() && !atomic_flag_test_and_set(&reported)) report(crashes[which].text, context);
  const struct sigaction *before = &previous[which];
  if (before->sa_flags & SA_SIGINFO) {
    before->sa_sigaction(number, info, context);
  } else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) {
    before->sa_handler(number);
  } else {
    // The instruction runs again, and ends the process by the same signal.
    signal(number, SIG_DFL);
  }
}

static void install(void) {
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < CRASHES; i++) sigaction(crashes[i].number, &action, &previous[i]);
}

void watch_for_crashes(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}

// After an overflow of its stack a thread needs another one for the handler.
void use_signal_stack(void) {
  stack_t stack = {.ss_size = 64 << 10};
  stack.ss_sp = malloc(stack.ss_size);
  if (stack.ss_sp && sigaltstack(&stack, NULL) != 0) free(stack.ss_sp);
}
