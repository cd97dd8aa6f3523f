// The threads that execute commands.
//
// A command that can start is on the list; threads take parts of it until none is left. Threads of
// the host that wait for a command of a queue help with the queue's commands: to wake another
// thread takes longer than many kernels.
#include "driver.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// How long a thread looks for the next command before it sleeps.
#define SPIN_NS 30000

static struct {
  pthread_mutex_t lock;
  pthread_cond_t work;
  cl_event first, last;
  unsigned workers, sleeping;
  _Atomic(unsigned) changes; // counts commands that were added
  _Atomic(unsigned) generation;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER};

cl_ulong now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (cl_ulong)time.tv_sec * 1000000000u + (cl_ulong)time.tv_nsec;
}

// --------------------------------------------------------------------------- scratch memory

static pthread_key_t worker_key;

static void free_worker(void *value) {
  struct worker *worker = value;
  objects_give_back(worker);
  free(worker->scratch);
  free(worker);
}

static void before_fork(void);
static void in_parent(void);
static void in_child(void);

static void start(void) {
  pthread_key_create(&worker_key, free_worker);
  pthread_atfork(before_fork, in_parent, in_child);
}

struct worker *this_worker(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  struct worker *worker = pthread_getspecific(worker_key);
  if (!worker && (worker = calloc(1, sizeof *worker))) pthread_setspecific(worker_key, worker);
  return worker;
}

char *worker_scratch(struct worker *worker, size_t size) {
  if (worker->scratch_size < size) {
    free(worker->scratch);
    worker->scratch_size = (size + 4095) & ~(size_t)4095;
    worker->scratch = aligned_alloc(4096, worker->scratch_size);
    if (!worker->scratch) worker->scratch_size = 0;
  }
  return worker->scratch;
}

// -------------------------------------------------------------------------------- the list

static void unlist(cl_event command) {
  struct task *task = &command->task;
  *(task->before ? &task->before->task.after : &pool.first) = task->after;
  *(task->after ? &task->after->task.before : &pool.last) = task->before;
  task->listed = false;
}

// A command that this thread may work on, of any queue or of `queue`.
static cl_event take(cl_command_queue queue) {
  cl_event command = NULL;
  pthread_mutex_lock(&pool.lock);
  for (cl_event each = pool.first; each; each = each->task.after) {
    struct task *task = &each->task;
    if ((queue && each->queue != queue) || task->active >= task->threads ||
        atomic_load(&task->next) >= task->count)
      continue;
    task->active++;
    command = object_keep(each);
    break;
  }
  pthread_mutex_unlock(&pool.lock);
  return command;
}

static void work_on(cl_event command) {
  struct task *task = &command->task;
  struct worker *worker = this_worker();
  bool last = false;
  for (;;) {
    size_t part = atomic_fetch_add(&task->next, 1);
    if (part >= task->count) break;
    if (part == 0) command_begin(command);
    task->run(command, part, worker);
    if (atomic_fetch_add(&task->done, 1) + 1 == task->count) last = true;
  }
  pthread_mutex_lock(&pool.lock);
  task->active--;
  bool drop = task->listed;
  if (drop) unlist(command);
  pthread_mutex_unlock(&pool.lock);
  if (drop) object_drop(command);
  if (last) command_complete(command);
  object_drop(command);
}

bool pool_help(cl_command_queue queue) {
  if (!this_worker()) return false;
  cl_event command = take(queue);
  if (command) work_on(command);
  return command != NULL;
}

// ------------------------------------------------------------------------------ the workers

static bool changed_soon(unsigned seen) {
  cl_ulong until = now_ns() + SPIN_NS;
  for (unsigned turn = 1; atomic_load(&pool.changes) == seen; turn++) {
    pause_thread();
    if (turn % 64 == 0 && now_ns() > until) return false;
  }
  return true;
}

static void *worker_main(void *unused) {
  (void)unused;
  use_signal_stack();
  for (;;) {
    unsigned seen = atomic_load(&pool.changes);
    if (pool_help(NULL) || changed_soon(seen)) continue;
    pthread_mutex_lock(&pool.lock);
    pool.sleeping++;
    while (atomic_load(&pool.changes) == seen) pthread_cond_wait(&pool.work, &pool.lock);
    pool.sleeping--;
    pthread_mutex_unlock(&pool.lock);
  }
  return NULL;
}

bool thread_start(void *(*main)(void *)) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 8 << 20);
  bool started = pthread_create(&thread, &attributes, main, NULL) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

void pool_add(cl_event command) {
  struct task *task = &command->task;
  object_keep(command);
  pthread_mutex_lock(&pool.lock);
  task->before = pool.last;
  task->after = NULL;
  *(pool.last ? &pool.last->task.after : &pool.first) = command;
  pool.last = command;
  task->listed = true;
  size_t wanted = task->count < task->threads ? task->count : task->threads;
  while (pool.workers < thread_count() && pool.workers < wanted && thread_start(worker_main))
    pool.workers++;
  atomic_fetch_add(&pool.changes, 1);
  if (wanted >= pool.sleeping)
    pthread_cond_broadcast(&pool.work);
  else
    for (size_t i = 0; i < wanted; i++) pthread_cond_signal(&pool.work);
  pthread_mutex_unlock(&pool.lock);
}

void pool_widen(cl_event command, unsigned threads) {
  pthread_mutex_lock(&pool.lock);
  command->task.threads = threads;
  while (pool.workers < thread_count() && pool.workers < threads && thread_start(worker_main))
    pool.workers++;
  atomic_fetch_add(&pool.changes, 1);
  pthread_cond_broadcast(&pool.work);
  pthread_mutex_unlock(&pool.lock);
}

// ------------------------------------------------------------------------------------- fork

unsigned process_generation(void) {
  this_worker();
  return atomic_load(&pool.generation);
}

static void before_fork(void) {
  variants_lock();
  graph_lock();
  pthread_mutex_lock(&pool.lock);
}

static void in_parent(void) {
  pthread_mutex_unlock(&pool.lock);
  graph_unlock();
  variants_unlock();
}

// A forked process has none of its parent's threads: the parent's commands never end in it.
static void in_child(void) {
  pthread_mutex_init(&pool.lock, NULL);
  pthread_cond_init(&pool.work, NULL);
  pool.first = pool.last = NULL;
  pool.workers = pool.sleeping = 0;
  atomic_fetch_add(&pool.generation, 1);
  graph_after_fork();
  launches_after_fork();
  variants_after_fork();
}
