// Needleman-Wunsch: the scores of the best alignments of two sequences, in blocks of 16 x 16. The
// blocks of one diagonal do not depend on each other: a work-group of 16 for each.
#define BLOCK 16

void block_scores(global const int *similarity, global int *scores, local int (*known)[BLOCK + 1],
                  local int (*like)[BLOCK], int columns, int penalty, int block_x, int block_y)
{
    int tx = get_local_id(0);
    int corner = columns * BLOCK * block_y + BLOCK * block_x;
    if (tx == 0)
        known[0][0] = scores[corner];
    for (int ty = 0; ty < BLOCK; ty++)
        like[ty][tx] = similarity[corner + columns * (ty + 1) + tx + 1];
    known[tx + 1][0] = scores[corner + columns * (tx + 1)];
    known[0][tx + 1] = scores[corner + tx + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 0; d < 2 * BLOCK - 1; d++) {
        int y = d - tx;
        if (y >= 0 && y < BLOCK) {
            int both = known[y][tx] + like[y][tx];
            int left = known[y + 1][tx] - penalty, above = known[y][tx + 1] - penalty;
            known[y + 1][tx + 1] = max(both, max(left, above));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int ty = 0; ty < BLOCK; ty++)
        scores[corner + columns * (ty + 1) + tx + 1] = known[ty + 1][tx + 1];
}

// Diagonal `diagonal` of the upper left half, counted from 1 on.
kernel void upper(global const int *similarity, global int *scores, int columns, int penalty,
                  int diagonal)
{
    local int known[BLOCK + 1][BLOCK + 1], like[BLOCK][BLOCK];
    int x = get_group_id(0);
    block_scores(similarity, scores, known, like, columns, penalty, x, diagonal - 1 - x);
}

// Of the lower right half: the one with `diagonal` blocks.
kernel void lower(global const int *similarity, global int *scores, int columns, int penalty,
                  int diagonal, int blocks)
{
    local int known[BLOCK + 1][BLOCK + 1], like[BLOCK][BLOCK];
    int x = get_group_id(0) + blocks - diagonal;
    block_scores(similarity, scores, known, like, columns, penalty, x,
                 2 * blocks - diagonal - 1 - x);
}
