"""Idioms of well-known benchmarks: the text of `f`, its arguments, and the contents of its arrays
afterwards. The texts follow START of test_host_import.py, and use its kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

N = 64


def _ramp() -> np.ndarray[Any, Any]:
    return np.arange(N, dtype=np.float32)


def _swapped(steps: int) -> list[Any]:
    a, b = _ramp(), _ramp() * 2
    for _ in range(steps):
        a, b = b, a + b
    return [a, b]


Idiom = tuple[str, Callable[[], list[Any]], Callable[[], list[Any]]]

IDIOMS: dict[str, Idiom] = {
    "counts the arguments": (
        """
void f(float *x, int n, int twice)
{
    cl_kernel scale = clCreateKernel(start(), "scale", NULL);
    cl_mem d = filled(x, n);
    float two = 2.0f, three = 3.0f;
    cl_uint next = 0;
    cl_int status = clSetKernelArg(scale, next++, sizeof(cl_mem), &d);
    if (twice) {
        status |= clSetKernelArg(scale, next, sizeof(float), &two);
        next += 1;
    } else
        status |= clSetKernelArg(scale, next++, sizeof(float), &three);
    status |= clSetKernelArg(scale, next++, sizeof(int), &n);
    if (status != CL_SUCCESS)
        exit(1);
    launch(scale, n, 0);
    next = 0;
    for (int t = 0; t < 2; t++) {
        int at = 1;
        clSetKernelArg(scale, at++, sizeof(float), &three);
        clSetKernelArg(scale, at++, sizeof(int), &n);
        launch(scale, n, 0);
        next += at;
    }
    fetch(d, x, n);
    x[0] = next;
}""",
        lambda: [_ramp(), N, 1],
        lambda: [np.concatenate([[6], _ramp()[1:] * 18]).astype(np.float32)],
    ),
    "follows what is assigned last": (
        """
void f(float *x, int n, int twice)
{
    cl_kernel scale = clCreateKernel(start(), "scale", NULL);
    cl_mem d = filled(x, n);
    float three = 3.0f, none = -0.0f;
    int mode = 1, status = 5;
    if (n < 4) {
        n = 4;
        goto end;
    }
    status = clSetKernelArg(scale, 0, sizeof(cl_mem), &d);
    status |= clSetKernelArg(scale, 1, sizeof(float), &three);
    status |= clSetKernelArg(scale, 2, sizeof(int), &n);
    if (status != CL_SUCCESS)
        mode = 9;
    for (int t = 0; t < 2; t++) {
        if (mode == 2)
            launch(scale, n, 0);
        none = twice ? 0.0f : none;
        mode++;
    }
    fetch(d, x, n);
end:
    x[0] = n + 100 * mode;
    x[1] = copysignf(1.0f, none);
}""",
        lambda: [_ramp(), N, 1],
        lambda: [np.concatenate([[364, 1], _ramp()[2:] * 3]).astype(np.float32)],
    ),
    "sets up what it keeps": (
        """
static cl_mem kept;

void f(float *x, int n)
{
    cl_kernel scale = clCreateKernel(start(), "scale", NULL);
    float two = 2.0f;
    if (kept == NULL)
        kept = filled(x, n);
    clSetKernelArg(scale, 0, sizeof(cl_mem), &kept);
    clSetKernelArg(scale, 1, sizeof(float), &two);
    clSetKernelArg(scale, 2, sizeof(int), &n);
    launch(scale, n, 0);
    fetch(kept, x, n);
}""",
        lambda: [_ramp(), N],
        lambda: [_ramp() * 2],
    ),
    "chooses from an array of buffers": (
        """
typedef struct { cl_mem d[2]; cl_kernel add; int from; } State;

static void turn(State *state, int n)
{
    int to = 1 - state->from;
    clSetKernelArg(state->add, 0, sizeof(cl_mem), (void *)&state->d[to]);
    clSetKernelArg(state->add, 1, sizeof(cl_mem), (void *)&state->d[state->from]);
    launch(state->add, n, 0);
    state->from = to;
}

void f(float *x, float *y, int n, int steps)
{
    State state;
    state.add = clCreateKernel(start(), "add", NULL);
    state.from = 1;
    for (int i = 0; i < 2; i++)
        state.d[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof(float), NULL, NULL);
    clEnqueueWriteBuffer(queue, state.d[0], CL_TRUE, 0, n * sizeof(float), x, 0, NULL, NULL);
    clEnqueueWriteBuffer(queue, state.d[1], CL_TRUE, 0, n * sizeof(float), y, 0, NULL, NULL);
    for (int t = 0; t < steps; t++)
        turn(&state, n);
    cl_mem last[2] = {state.d[0], state.d[0]};
    last[steps % 2] = state.d[state.from];
    last[1 - steps % 2] = state.d[1 - state.from];
    fetch(last[steps % 2], y, n);
    fetch(last[1 - steps % 2], x, n);
    for (int i = 0; i < 2; i++)
        clReleaseMemObject(state.d[i]);
}""",
        lambda: [_ramp(), _ramp() * 2, N, 3],
        lambda: _swapped(3),
    ),
    "sets arguments in loops": (
        """
void f(float *x, float *y, int n)
{
    cl_kernel add = clCreateKernel(start(), "add", NULL);
    cl_mem buffers[2] = {filled(x, n), filled(y, n)};
    for (int i = 0; i <= 1; ++i) {
        cl_mem one = buffers[i];
        clSetKernelArg(add, i, sizeof(cl_mem), &one);
    }
    launch(add, n, 0);
    for (int i = 0; i < n; i++) {
        clSetKernelArg(add, 0, sizeof(cl_mem), i % 2 ? &buffers[0] : &buffers[1]);
        launch(add, n, 0);
        if (i == 2)
            break;
    }
    fetch(buffers[0], x, n);
    fetch(buffers[1], y, n);
}""",
        lambda: [_ramp(), _ramp() * 2, N],
        lambda: [_ramp() * 7, _ramp() * 8],
    ),
    "waits for all kinds of events": (
        """
void f(float *x, int n)
{
    cl_kernel add = clCreateKernel(start(), "add", NULL);
    cl_mem d = filled(x, n);
    cl_event mapped, unmapped, behind, ran;
    cl_int status, state = CL_QUEUED;
    size_t global = n;
    float *p = clEnqueueMapBuffer(queue, d, CL_FALSE, CL_MAP_WRITE, 0, n * sizeof(float), 0, NULL,
                                  &mapped, &status);
    clWaitForEvents(1, &mapped);
    p[0] = 5.0f;
    clEnqueueUnmapMemObject(queue, d, p, 1, &mapped, &unmapped);
    clEnqueueMarkerWithWaitList(queue, 1, &unmapped, &behind);
    clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL);
    clSetKernelArg(add, 0, sizeof(cl_mem), &d);
    clSetKernelArg(add, 1, sizeof(cl_mem), &d);
    clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 1, &behind, &ran);
    clFlush(queue);
    while (state != CL_COMPLETE)
        clGetEventInfo(ran, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state, NULL);
    clRetainEvent(ran);
    clReleaseEvent(ran);
    fetch(d, x, n);
}""",
        lambda: [_ramp(), N],
        lambda: [np.concatenate([[10], _ramp()[1:] * 2]).astype(np.float32)],
    ),
    "variables of the program": (
        """
static int done;

float zeros[1000];

static int is_last(int steps)
{
    static int turns;
    return ++turns == steps;
}

static cl_mem uploaded(size_t bytes, const void *from)
{
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    clEnqueueWriteBuffer(queue, made, CL_TRUE, 0, bytes, from, 0, NULL, NULL);
    return made;
}

void f(float *x, int n)
{
    static float sums[4];
    const cl_uint dimensions = 1;
    size_t global = n;
    cl_kernel add = clCreateKernel(start(), "add", NULL);
    cl_mem d = uploaded(n * sizeof(float), x);
    clSetKernelArg(add, 0, sizeof(cl_mem), &d);
    clSetKernelArg(add, 1, sizeof(cl_mem), &d);
    while (!done) {
        clEnqueueNDRangeKernel(queue, add, dimensions, NULL, &global, NULL, 0, NULL, NULL);
        done = is_last(3);
    }
    x[1] = zeros[n] + sums[3];
    clEnqueueWriteBuffer(queue, d, CL_TRUE, 4, 4, x + 1, 0, NULL, NULL);
    printf("%s\\n", x[0] == 0.0f ? "PASS" : "FAIL");
    fetch(d, x, n);
}""",
        lambda: [_ramp(), N],
        lambda: [np.where(_ramp() == 1, 0, _ramp() * 8)],
    ),
    "asks the device": (
        """
void f(float *x, int n)
{
    cl_platform_id platform;
    cl_device_id device;
    char name[64];
    cl_kernel scale = clCreateKernel(start(), "scale", NULL);
    cl_mem d = filled(x, n);
    cl_uint units;
    size_t local, sizes[3];
    float two = 2.0f;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL);
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, NULL);
    clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof(sizes), sizes, NULL);
    size_t *again = malloc(sizeof(sizes));
    clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof(sizes), again, NULL);
    clGetKernelWorkGroupInfo(scale, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(local), &local, NULL);
    printf("%s has %u units\\n", name, units);
    if (local > 16 && sizes[0] > 16 && again[2] == sizes[2])
        local = 16;
    free(again);
    if (units == 0)
        return;
    clSetKernelArg(scale, 0, sizeof(cl_mem), &d);
    clSetKernelArg(scale, 1, sizeof(float), &two);
    clSetKernelArg(scale, 2, sizeof(int), &n);
    launch(scale, n, local);
    fetch(d, x, n);
}""",
        lambda: [_ramp(), N],
        lambda: [_ramp() * 2],
    ),
}
