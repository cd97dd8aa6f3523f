#include <stdlib.h>

float total = 1;

float *numbers(int n)
{
    float *x = malloc(n * sizeof(float));
    for (int i = 0; i < n; i++)
        x[i] = i;
    return x;
}

void watch(void *queue)
{
    (void)queue;
}
