// What the operations on pipes do (OpenCL C 3.0, section 6.15.14).
//
// `ocl-expand-pipes` calls these functions (`pipe.` in front of their names); it reads them as IR
// from pipe_functions.mlir, which `ocl-opt pipe_functions.cl` writes. A pipe is a header in memory
// (below; the Python class polycl.Pipe and the OpenCL driver's pipe.c write it), and its packets at
// some distance from it.
//
// Packets are numbered from the pipe's creation; packet n is in place n % capacity. In their order,
//
//     read <= reserved_for_reading <= written <= reserved_for_writing <= read + capacity
//
// A reservation moves the second or the fourth one, by a compare-and-exchange that fails only where
// another one has succeeded. Reservations may be committed in any order: a commit marks its
// packets, and then moves `written` (or `read`) over all marked packets, those of others too. So
// nobody waits for anybody, and work-items may run in any order or side by side.

typedef struct {
  ulong reserved_for_writing, written, reserved_for_reading, read;
  uint packet_bytes, capacity;
  ulong first_packet; // bytes from the header to it
  ulong marks;        // bytes to the numbers of each place: 2n + 1 where packet n is written,
                      // 2n + 2 where it is read
  ulong counts;       // bytes to the number of packets of the reservation that begins there
} Header;

static ulong now(global ulong *number) { return atom_or(number, 0); }

static long reserve(global Header *h, global ulong *next, global ulong *end, uint space,
                    uint count) {
  for (;;) {
    ulong first = now(next);
    if (!count || first + count > now(end) + space)
      return -1;
    if (atom_cmpxchg(next, first, first + count) == first) {
      ((global uint *)((global uchar *)h + h->counts))[first % h->capacity] = count;
      return first;
    }
  }
}

long reserve_read(global uchar *memory, uint count) {
  global Header *h = (global Header *)memory;
  return reserve(h, &h->reserved_for_reading, &h->written, 0, count);
}

long reserve_write(global uchar *memory, uint count) {
  global Header *h = (global Header *)memory;
  return reserve(h, &h->reserved_for_writing, &h->read, h->capacity, count);
}

global uchar *packet(global uchar *memory, long reservation, uint index) {
  global Header *h = (global Header *)memory;
  ulong place = ((ulong)reservation + index) % h->capacity;
  return memory + (h->first_packet + place * h->packet_bytes);
}

static void commit(global Header *h, global ulong *end, uint mark, long reservation) {
  if (reservation < 0)
    return;
  global ulong *marks = (global ulong *)((global uchar *)h + h->marks);
  global uint *counts = (global uint *)((global uchar *)h + h->counts);
  ulong first = reservation;
  uint count = counts[first % h->capacity];
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  for (uint i = 0; i < count; ++i)
    atom_xchg(&marks[(first + i) % h->capacity], 2 * (first + i) + mark);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  ulong at = now(end);
  while (now(&marks[at % h->capacity]) == 2 * at + mark) {
    atom_cmpxchg(end, at, at + 1);
    at = now(end);
  }
}

void commit_read(global uchar *memory, long reservation) {
  global Header *h = (global Header *)memory;
  commit(h, &h->read, 2, reservation);
}

void commit_write(global uchar *memory, long reservation) {
  global Header *h = (global Header *)memory;
  commit(h, &h->written, 1, reservation);
}

int num_packets(global uchar *memory) {
  global Header *h = (global Header *)memory;
  return now(&h->written) - now(&h->reserved_for_reading);
}

int max_packets(global uchar *memory) { return ((global Header *)memory)->capacity; }
