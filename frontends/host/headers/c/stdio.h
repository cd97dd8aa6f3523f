/* Declarations for reading host programs; the compiler of the system has its own. */
#ifndef POLYCL_STDIO_H
#define POLYCL_STDIO_H

#include <stddef.h>
typedef struct _FILE FILE;
extern FILE *stdin, *stdout, *stderr;
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define EOF (-1)
int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int sprintf(char *text, const char *format, ...);
int snprintf(char *text, size_t size, const char *format, ...);
int scanf(const char *format, ...);
int fscanf(FILE *file, const char *format, ...);
int puts(const char *text);
int putchar(int letter);
int fputs(const char *text, FILE *file);
char *fgets(char *text, int size, FILE *file);
void perror(const char *text);
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
int fflush(FILE *file);
int fseek(FILE *file, long offset, int origin);
long ftell(FILE *file);
void rewind(FILE *file);
int feof(FILE *file);
size_t fread(void *memory, size_t size, size_t count, FILE *file);
size_t fwrite(const void *memory, size_t size, size_t count, FILE *file);

#endif
