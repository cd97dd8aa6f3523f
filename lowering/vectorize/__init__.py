"""The parts of `wg-vectorize`: one parallel region, for several work-items at once.

values       what a value of one work-item becomes for a tile
emitter      where operations are added, and the vectors of values, made when first asked for
addresses    how the lanes of an access lie in memory
memory       loads and stores
forms        how values go into and out of regions: as scalars, or as vectors
profit       whether vectors pay
operations   what computes, element by element; and what is done lane after lane
control      branches and loops, with masks where the work-items disagree
"""
