// Lookups in a B+ tree: a work-group for each query, a work-item for each key of a node. A node has
// ORDER + 1 keys, the first below and the last above all, and as many children; a leaf's children
// are the places of its records.
#define ORDER 256

kernel void find(int height, global const int *keys, global const int *children,
                 global const int *records, global const int *queries, global int *answers)
{
    local int node;
    int l = get_local_id(0), query = get_group_id(0);
    int wanted = queries[query];
    if (l == 0)
        node = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int level = 0; level < height; level++) {
        int at = node * (ORDER + 1) + l;
        int next = node;
        int found = keys[at] <= wanted && wanted < keys[at + 1];
        if (found)
            next = children[at];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (found)
            node = next;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int at = node * (ORDER + 1) + l;
    if (keys[at] == wanted)
        answers[query] = records[children[at]];
}

// The first record and the number of records between two keys, both of which are in the tree.
kernel void find_range(int height, global const int *keys, global const int *children,
                       global const int *firsts, global const int *lasts,
                       global int *begin, global int *lengths)
{
    local int node, last_node;
    int l = get_local_id(0), query = get_group_id(0);
    int first = firsts[query], last = lasts[query];
    if (l == 0) {
        node = 0;
        last_node = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int level = 0; level < height; level++) {
        int at = node * (ORDER + 1) + l, last_at = last_node * (ORDER + 1) + l;
        int found = keys[at] <= first && first < keys[at + 1];
        int last_found = keys[last_at] <= last && last < keys[last_at + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (found)
            node = children[at];
        if (last_found)
            last_node = children[last_at];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int at = node * (ORDER + 1) + l, last_at = last_node * (ORDER + 1) + l;
    if (keys[at] == first)
        begin[query] = children[at];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (keys[last_at] == last)
        lengths[query] = children[last_at] - begin[query] + 1;
}
