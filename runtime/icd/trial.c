// Whether launches of a kernel run on all threads or on one, as backends/cpu/pool.ll has it for
// the Python device.
//
// Threads that change the same cache lines, by atomic operations or as neighbours, wait for each
// other, and may need longer than one of them. So now and then a launch is a trial of what launches
// do not do otherwise: it runs on one thread as long as that promises to end before all threads
// would have, or on all.
#include "driver.h"

#define BEFORE_TRIAL 4   // launches; until memory and caches are used, all takes longer
#define LAUNCHES_SHARED 256 // before the next trial
#define LAUNCHES_ALONE 64   // the same, for each time that all threads took longer
#define MOST_TIMES 64

static int64_t get(_Atomic(int64_t) *value) {
  return atomic_load_explicit(value, memory_order_relaxed);
}

static void set(_Atomic(int64_t) *value, int64_t now) {
  atomic_store_explicit(value, now, memory_order_relaxed);
}

void trial_plan(struct trial *trial, struct plan *plan) {
  *plan = (struct plan){.one = get(&trial->alone), .counts = true};
  if (!get(&trial->together)) return;
  int64_t launches = atomic_fetch_add_explicit(&trial->launches, 1, memory_order_relaxed);
  plan->is_trial = launches >= BEFORE_TRIAL && launches >= get(&trial->next);
  if (plan->is_trial) plan->one = !plan->one;
}

static void decide(struct trial *trial, bool alone) {
  int64_t apart = get(&trial->apart), times = apart ? get(&trial->together) / apart : 1;
  if (times < 1) times = 1;
  if (times > MOST_TIMES) times = MOST_TIMES;
  set(&trial->launches, 0);
  set(&trial->next, alone ? times * LAUNCHES_ALONE : LAUNCHES_SHARED);
  set(&trial->alone, alone);
}

bool trial_goes_on(const struct trial *trial, int64_t time, size_t parts, size_t ended) {
  // One part may take twice as long as others.
  return time * (int64_t)parts < trial->together * (int64_t)(ended + 1);
}

// What launches take after one that took `now`. An interruption makes it longer, and so does a
// change of data.
static int64_t followed(int64_t before, int64_t now) {
  int64_t grown = before + before / 4;
  return !before || now < grown ? now : grown;
}

// What takes about as long stays on all threads, which may have been asleep at the trial.
static bool is_much_less(int64_t apart, int64_t together) { return apart + apart / 4 < together; }

void trial_ended(struct trial *trial, const struct plan *plan, int64_t time) {
  int64_t together = get(&trial->together), apart = get(&trial->apart);
  if (plan->one) {
    apart = plan->is_trial ? time : followed(apart, time);
    set(&trial->apart, apart);
    bool less = is_much_less(apart, together);
    if (plan->is_trial || !less) decide(trial, less);
  } else if (plan->gave_up) {
    decide(trial, false);
  } else {
    set(&trial->together, followed(together, time));
    if (plan->is_trial) decide(trial, is_much_less(apart, time));
  }
}
