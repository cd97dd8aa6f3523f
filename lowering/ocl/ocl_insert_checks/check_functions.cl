// What the checks of an access do.
//
// `ocl-insert-checks` calls these functions (`check.` in front of their names); it reads them as IR
// from check_functions.mlir, which `ocl-opt check_functions.cl` writes.
//
// Each granule of shared memory (the smallest part that the kernel accesses at once) has a cell of
// 64 bits with what was done to it. 0: nothing. Else either one group has accessed it, or several:
//
//     bits       one group                                 several groups
//     0..20      epoch: barriers that the group had passed  another group (0..21)
//     21..33     the last work-item
//     34         several work-items did what follows
//     35..37     what was done since the last barrier       what was done
//     38..59     the group                                  a group
//     60         0                                          1
//     61..63     what was done by the group
//
// What was done is a set of READ, WRITE and UPDATE (an atomic access). Cells change by
// compare-and-exchange only, so that of two conflicting accesses the second one finds the first,
// whatever threads do.

#define READ 1
#define WRITE 2
#define UPDATE 4

#define EPOCH 0x1FFFFFul
#define ITEM (0x1FFFul << 21)
#define MANY (1ul << 34)
#define KINDS 35
#define GROUP 38
#define SEVERAL (1ul << 60)
#define EVER 61

static uint rivals(uint kind) {
  return kind == WRITE ? READ | WRITE | UPDATE : kind == READ ? WRITE | UPDATE : READ | WRITE;
}

static uint group_of(ulong cell) { return (cell >> GROUP) & 0x3FFFFF; }

static void suspect(global uint *suspects, uint group, uint partner) {
  suspects[group] = partner + 1;
}

// The cell after an access of `kind` by `self` (a group, a work-item and an epoch); 0: a conflict.
// Since the epoch `since`, no barrier has ordered writes; reads are ordered by each barrier.
static ulong in_group(ulong cell, ulong self, ulong since, uint kind) {
  ulong ever = (cell >> EVER) | kind;
  uint kinds = (cell >> KINDS) & 7;
  ulong epoch = cell & EPOCH;
  if (epoch < since)
    kinds = 0;
  else if (epoch < (self & EPOCH))
    kinds &= ~READ;
  ulong many = cell & MANY;
  if (!kinds)
    many = 0;
  else if (many || ((cell ^ self) & ITEM)) {
    if (kinds & rivals(kind))
      return 0;
    many = MANY;
  }
  return ever << EVER | self | many | (ulong)(kinds | kind) << KINDS;
}

static ulong in_launch(ulong cell, ulong self, ulong since, uint kind) {
  if (!cell)
    return (ulong)kind << EVER | self | (ulong)kind << KINDS;
  if (!(cell & SEVERAL) && group_of(cell) == group_of(self))
    return in_group(cell, self, since, kind);
  if ((cell >> EVER) & rivals(kind))
    return 0;
  if (cell & SEVERAL)
    return cell | (ulong)kind << EVER;
  return ((cell >> EVER) | kind) << EVER | SEVERAL | (ulong)group_of(cell) << GROUP | group_of(self);
}

void shared_by_all(global ulong *cell, ulong self, ulong since, uint kind, global uint *suspects) {
  ulong old = *cell;
  for (;;) {
    ulong new = in_launch(old, self, since, kind);
    if (!new) {
      uint own = group_of(self), other = group_of(old);
      if (other == own && (old & SEVERAL))
        other = old & 0x3FFFFF;
      suspect(suspects, own, other);
      suspect(suspects, other, own);
      return;
    }
    if (new == old)
      return;
    ulong seen = atom_cmpxchg(cell, old, new);
    if (seen == old)
      return;
    old = seen;
  }
}

// Memory of one group, in cells that are 0 when the group begins.
static void check_in_group(local ulong *cell, ulong self, ulong since, uint kind, uint reads,
                           global uint *suspects) {
  ulong old = *cell;
  for (;;) {
    ulong new = old ? in_group(old, self, since, kind)
                    : (ulong)kind << EVER | self | (ulong)kind << KINDS;
    // Nothing has set what is read.
    if (!new || (reads && !((old >> EVER) & (WRITE | UPDATE)))) {
      suspect(suspects, group_of(self), group_of(self));
      return;
    }
    if (new == old)
      return;
    ulong seen = atom_cmpxchg(cell, old, new);
    if (seen == old)
      return;
    old = seen;
  }
}

void shared_by_group(local ulong *cell, ulong self, ulong since, uint kind,
                     global uint *suspects) {
  check_in_group(cell, self, since, kind, kind == READ, suspects);
}

// An atomic that depends on what it finds.
void updated_by_group(local ulong *cell, ulong self, ulong since, uint kind,
                      global uint *suspects) {
  check_in_group(cell, self, since, kind, 1, suspects);
}
