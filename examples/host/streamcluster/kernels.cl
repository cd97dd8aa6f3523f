// How far each point is from point `candidate`, weighted, and whether it would be nearer to it than
// to its centre (a step of the facility location in streaming clustering). Coordinates lie
// dimension by dimension: coordinates[d * points + p].
kernel void compare(global const float *coordinates, global const float *weights,
                    global const float *costs, global float *distances, global int *switches,
                    int points, int dimensions, int candidate, local float *of_candidate)
{
    int p = get_global_id(0), l = get_local_id(0);
    for (int d = l; d < dimensions; d += get_local_size(0))
        of_candidate[d] = coordinates[d * points + candidate];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (p >= points)
        return;
    float sum = 0.0f;
    for (int d = 0; d < dimensions; d++) {
        float difference = coordinates[d * points + p] - of_candidate[d];
        sum += difference * difference;
    }
    float distance = sum * weights[p];
    distances[p] = distance;
    switches[p] = distance < costs[p];
}
