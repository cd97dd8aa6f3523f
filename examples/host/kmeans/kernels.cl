// The nearest of `clusters` centres for each of `points` points with `features` numbers each.
// Feature l of all points is one row of memory.
kernel void assign(global const float *feature, global const float *centre,
                   global int *membership, int points, int clusters, int features)
{
    int point = get_global_id(0);
    if (point >= points)
        return;
    int nearest = 0;
    float least = FLT_MAX;
    for (int c = 0; c < clusters; c++) {
        float distance = 0.0f;
        for (int l = 0; l < features; l++) {
            float d = feature[l * points + point] - centre[c * features + l];
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    membership[point] = nearest;
}
