/* Declarations for reading host programs; the compiler of the system has its own. */
#ifndef POLYCL_SYS_TIME_H
#define POLYCL_SYS_TIME_H

struct timeval { long tv_sec; long tv_usec; };
int gettimeofday(struct timeval *result, void *zone);

#endif
