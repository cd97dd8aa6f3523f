"""Registers that are written to the stack and read again."""

from polycl.lowering.wg.wg_jam.spills import Step, moves_to_stack


def test_values_that_fit_stay_in_registers():
    steps = [Step([], ["a"]), Step(["a"], ["b"]), Step(["b"], ["c"]), Step(["c"], [])]
    assert moves_to_stack(steps, dict.fromkeys("abc", 1), 1) == 0


def test_the_value_that_is_read_last_goes_to_the_stack():
    steps = [
        Step([], ["a"]),
        Step([], ["b"]),
        Step([], ["c"]),
        Step(["b", "c"], []),
        Step(["a"], []),
    ]
    # 'a' is written and read.
    assert moves_to_stack(steps, dict.fromkeys("abc", 1), 2) == 2
    assert moves_to_stack(steps, dict.fromkeys("abc", 2), 4) == 4
    assert moves_to_stack(steps, dict.fromkeys("abc", 1), 3) == 0


def test_a_value_is_written_once_and_read_each_time():
    steps = [Step([], ["a"])]
    for number in range(3):
        steps += [Step([], [number, -1 - number]), Step([number, -1 - number], []), Step(["a"], [])]
    sizes: dict[object, int] = dict.fromkeys(["a", 0, 1, 2, -1, -2, -3], 1)
    assert moves_to_stack(steps, sizes, 2) == 1 + 3


def test_values_from_elsewhere_need_no_register():
    assert moves_to_stack([Step(["x", "y", "z"], ["a"]), Step(["a"], [])], {"a": 1}, 1) == 0
