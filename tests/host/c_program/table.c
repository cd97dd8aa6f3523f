/* A part of the program that uses no OpenCL. */
#include "table.h"
#include <stdio.h>
#include <stdlib.h>

extern float *largest;

struct table *read_table(const char *path, int *n)
{
    struct table *table = calloc(1, sizeof(struct table));
    FILE *file = fopen(path, "r");
    if (file == NULL || fscanf(file, "%d", n) != 1)
        return table;
    table->rows = malloc(2 * sizeof(float *));
    for (int row = 0; row < 2; row++) {
        table->rows[row] = malloc(*n * sizeof(float));
        for (int i = 0; i < *n; i++)
            if (fscanf(file, "%f", &table->rows[row][i]) != 1)
                exit(5);
    }
    fclose(file);
    return table;
}

void write_table(const char *path, const float *x, int n)
{
    FILE *file = fopen(path, "w");
    fprintf(file, "%.6g\n", *largest);
    for (int i = 0; i < n; i++)
        fprintf(file, "%.6g\n", x[i]);
    fclose(file);
}
