"""What test_programs.py runs with pyopencl: `python programs.py CASE`."""

import ctypes
import os
import struct
import sys
import threading

import numpy as np
import pyopencl as cl

context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
READ_WRITE = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR


def build(source: str, options: list[str] | None = None) -> cl.Program:
    return cl.Program(context, source).build(options or [])


def double(queue: cl.CommandQueue, program: cl.Program, count: int = 4096) -> None:
    """Double an array on the device, and check it."""
    values = np.arange(count, dtype=np.float32)
    buffer = cl.Buffer(context, READ_WRITE, hostbuf=values)
    program.double_it(queue, (count,), None, buffer)
    result = np.empty_like(values)
    cl.enqueue_copy(queue, result, buffer)
    assert (result == 2 * values).all(), result


DOUBLE = "kernel void double_it(global float *x) { x[get_global_id(0)] *= 2; }"
RACE = """kernel void reverse(global int *x) {
  local int t[64]; int i = get_local_id(0);
  t[i] = x[i];
  x[i] = t[63 - i];
}"""


def simple() -> None:
    double(queue, build(DOUBLE))


def build_file() -> None:
    """Build the source in a file."""
    with open(sys.argv[2]) as file:
        build(file.read())


def types() -> None:
    """Print as what the device is found, which is what it says."""
    (platform,) = cl.get_platforms()
    for name in ("CPU", "GPU", "ACCELERATOR"):
        wanted = getattr(cl.device_type, name)
        for device in platform.get_devices(wanted):
            assert device.type == wanted
            print(name.lower())
    double(queue, build(DOUBLE))


def race(text: str = RACE) -> None:
    buffer = cl.Buffer(context, READ_WRITE, hostbuf=np.zeros(64, np.int32))
    reverse = build(text).reverse
    for _ in range(2):
        reverse(queue, (64,), (64,), buffer)
    queue.finish()


def race_in_file() -> None:
    """The kernel is in a file; the program puts definitions before it."""
    with open("kernels/reverse.cl") as file:
        race(f"#define COUNT 64\n\n{file.read()}\n// the end")


def race_and_status() -> None:
    race()
    sys.exit(3)


def crash() -> None:
    source = "kernel void far(global int *x, long n) { x[n * get_global_id(0)] = 1; }"
    buffer = cl.Buffer(context, READ_WRITE, hostbuf=np.zeros(64, np.int32))
    build(source, sys.argv[2:]).far(queue, (1 << 16,), (64,), buffer, np.int64(1 << 32))
    queue.finish()


def diagnostics() -> None:
    try:
        build("kernel void k(global int *x) {\n  x[0] = y;\n}")
    except cl.RuntimeError as error:
        print(error)


def forked() -> None:
    """The child of a fork uses the queue and the program of its parent, and new ones."""
    program = build(DOUBLE)
    double(queue, program)
    child = os.fork()
    if child == 0:
        double(queue, program)
        double(cl.CommandQueue(context), build(DOUBLE.replace("2", "1 + 1")), 128)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    double(queue, program)


def no_fork() -> None:
    """`simple` in a process that may have threads, but no child."""
    allow, again, missing = 0x7FFF0000, 0x0005000B, 0x00050026
    fork, vfork, clone, clone3 = 57, 58, 56, 435
    load, equal, has_bits, end = 0x20, 0x15, 0x45, 0x06
    # Each: operation, how many to skip if true and if false, operand. A thread is a clone, too.
    program = (
        *((load, 0, 0, 0), (equal, 6, 0, fork), (equal, 5, 0, vfork), (equal, 5, 0, clone3)),
        *((equal, 0, 2, clone), (load, 0, 0, 16), (has_bits, 0, 1, 0x10000)),
        *((end, 0, 0, allow), (end, 0, 0, again), (end, 0, 0, missing)),
    )
    code = b"".join(struct.pack("<HBBI", *line) for line in program)
    memory = ctypes.create_string_buffer(code)
    filter = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", 10, ctypes.addressof(memory)))
    library = ctypes.CDLL(None)
    assert library.prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
    assert library.prctl(22, 2, filter) == 0  # PR_SET_SECCOMP
    simple()


def in_flight() -> None:
    """The program ends while its commands run."""
    source = """kernel void slow(global int *x) {
      for (int i = 0; i < 1000000; i++) x[get_global_id(0)] = x[get_global_id(0)] * 3 + i;
    }"""
    buffer = cl.Buffer(context, READ_WRITE, hostbuf=np.zeros(4096, np.int32))
    program = build(source)
    for _ in range(20):
        program.slow(queue, (4096,), (64,), buffer)
    queue.flush()


def out_of_order() -> None:
    """Commands wait for their lists only; a user event holds them."""
    properties = cl.command_queue_properties
    free = cl.CommandQueue(context, properties=properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
    program = build("kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }")
    values = np.zeros(64, np.int32)
    buffer = cl.Buffer(context, READ_WRITE, hostbuf=values)
    gate = cl.UserEvent(context)
    event: cl.Event = gate
    for n in range(50):
        event = program.add(free, (64,), (64,), buffer, np.int32(n), wait_for=[event])
    other = cl.Buffer(context, READ_WRITE, hostbuf=values)
    program.add(free, (64,), (64,), other, np.int32(7)).wait()
    status = event.get_info(cl.event_info.COMMAND_EXECUTION_STATUS)
    assert status in (cl.command_execution_status.QUEUED, cl.command_execution_status.SUBMITTED)
    called = threading.Event()
    event.set_callback(cl.command_execution_status.COMPLETE, lambda _: called.set())
    gate.set_status(cl.command_execution_status.COMPLETE)
    free.finish()
    assert called.wait(10)
    cl.enqueue_copy(queue, values, buffer)
    assert (values == sum(range(50))).all(), values


def threads() -> None:
    """Several threads with queues of their own, one program and one context."""
    program = build(DOUBLE)
    errors: list[BaseException] = []

    def work() -> None:
        try:
            own = cl.CommandQueue(context)
            for count in (64, 1000, 4096, 100_000):
                double(
                    own, cl.Program(context, DOUBLE).build() if count == 1000 else program, count
                )
        except BaseException as error:
            errors.append(error)

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not errors, errors


def shared_sums() -> None:
    """Several threads with queues of their own add to the same element."""
    text = """kernel void add(volatile global int *sum, global float *mass, int n) {
      for (int i = 0; i < n; i++) {
        atomic_add(sum + i % 2, i % 8);
        uint old = as_uint(mass[0]), seen;
        while ((seen = atomic_cmpxchg((volatile global uint *)mass, old,
                                      as_uint(as_float(old) + 1))) != old)
          old = seen;
      }
    }"""
    program = build(text)
    sums, mass = np.zeros(2, np.int32), np.zeros(1, np.float32)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffers = [cl.Buffer(context, flags, hostbuf=values) for values in (sums, mass)]
    # Queues whose commands any thread may run that waits for them.
    out_of_order = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE

    def work(free: bool) -> None:
        in_order = cl.CommandQueue(context)
        own = cl.CommandQueue(context, properties=out_of_order) if free else in_order
        kernel = cl.Kernel(program, "add")
        for _ in range(10):
            kernel(own, (16,), None, *buffers, np.int32(20_000))
        own.finish()

    workers = [threading.Thread(target=work, args=(i % 2 == 1,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    cl.enqueue_copy(queue, sums, buffers[0])
    cl.enqueue_copy(queue, mass, buffers[1])
    assert sums.sum() == 4 * 10 * 16 * 20_000 * 7 / 2, sums
    assert mass[0] == 4 * 10 * 16 * 20_000, mass


globals()[sys.argv[1]]()
