/* Declarations for reading host programs; the compiler of the system has its own. */
#ifndef POLYCL_UNISTD_H
#define POLYCL_UNISTD_H

#define _POSIX_VERSION 200809L
unsigned sleep(unsigned seconds);
int usleep(unsigned microseconds);

#endif
