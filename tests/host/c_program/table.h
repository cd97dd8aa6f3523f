struct table {
    float **rows;
    struct table *next;
};

struct table *read_table(const char *path, int *n);
void write_table(const char *path, const float *x, int n);
