"""Limits of `promote-private-arrays`."""

MOST_ELEMENTS = 64
"""More values do not fit the registers, whatever their form."""

LEAST_KEPT = 16
"""Elements of an array that stay in memory where a loop adds up those of one as long. (Measured:
rows of an attention, 16 elements of queries and of sums, take 0.65 of the time, 32 elements 0.6;
distances of 32 elements 0.8, of 16 the same.)"""

MOST_OPERATIONS = 3000
"""Of a kernel after its loops are unrolled. Tables of constants have no other limit: products with
their elements become sums and shifts, and those with zero need no loads (a filter of 5 x 5 bytes:
2.8 times as fast, a lattice Boltzmann step with 19 neighbours 1.8 times)."""

MOST_ADDED = 400
"""Operations that unrolling adds to a kernel without barriers: LLVM unrolls loops, too."""

ADDED_PER_ACCESS = 3
"""The same for each access of the array, up to `MOST_ADDED_ONCE`: where there is little else, those
of vectors would be gathers and scatters (Keccak: 2.4 times as fast)."""

MOST_ADDED_ONCE = 1500
"""The same where no loop stays around the accesses: code that runs once does not wait for registers
longer than for memory (a Cholesky factor of 6 x 6: 2.4 times as fast)."""

MOST_CHOSEN = 16
"""Elements of an array of which work-items access different ones."""

MOST_CHOSEN_IN_LOOPS = 8
"""The same where loops stay around such an access: to compare an index with more numbers takes
longer than to gather words from memory, or to scatter them. (The eight nearest points, each put at
its place: 0.5 to 0.7 of the time with AVX-512, sixteen 0.97.) Bytes and halves of words would be
gathered one by one: `MOST_CHOSEN` is their limit. (A code that moves to the front of 16: 0.03.) Not
so in a `while`, whose work-items leave it one by one: single ones are faster with memory, then. (A
search with a stack of 16 squares took 6 times as long.)
"""

MOST_STORED_IN_LOOPS = 4
"""The same for such stores of more than four bytes."""

MOST_ADDED_FOR_CHOICES = 1500
"""The same as `MOST_ADDED` where such an array would be gathered and scattered, for memory that is
accessed as values of several types, and for arrays of up to `MOST_CHOSEN` elements, for which
vectors have registers. (A block of 16 bytes that loops fill and mix takes 0.68 of the time; single
work-items that shift such a block and look into tables take 1.1 times as long.)
"""
