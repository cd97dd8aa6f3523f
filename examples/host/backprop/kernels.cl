// One training step of a network with a hidden layer of 16 units: work-groups of 16 x 16, a
// work-item for each weight between an input (y) and a hidden unit (x).
#define HIDDEN 16
#define ETA 0.3f
#define MOMENTUM 0.3f

// sums[group * HIDDEN + unit]: what the 16 inputs of a group give to a hidden unit.
kernel void forward(global const float *input, global const float *weights, global float *sums)
{
    int x = get_local_id(0), y = get_local_id(1), group = get_group_id(1);
    local float inputs[HIDDEN], products[HIDDEN][HIDDEN];
    int unit = group * HIDDEN + y;
    if (x == 0)
        inputs[y] = input[unit + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    products[y][x] = weights[(unit + 1) * (HIDDEN + 1) + x + 1] * inputs[y];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = HIDDEN / 2; s > 0; s /= 2) {
        if (y < s)
            products[y][x] += products[y + s][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (y == 0)
        sums[group * HIDDEN + x] = products[0][x];
}

kernel void adjust(global const float *delta, global const float *input, global float *weights,
                   global float *previous)
{
    int x = get_local_id(0) + 1, y = get_global_id(1) + 1;
    int at = y * (HIDDEN + 1) + x;
    float change = ETA * delta[x] * input[y] + MOMENTUM * previous[at];
    weights[at] += change;
    previous[at] = change;
}
