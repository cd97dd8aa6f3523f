/* Declarations for reading host programs; the compiler of the system has its own. */
#ifndef POLYCL_TIME_H
#define POLYCL_TIME_H

#include <stddef.h>
typedef long time_t;
typedef long clock_t;
struct timespec { time_t tv_sec; long tv_nsec; };
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
time_t time(time_t *result);
clock_t clock(void);
double difftime(time_t end, time_t start);
int clock_gettime(int clock, struct timespec *result);

#endif
