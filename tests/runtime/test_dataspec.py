"""`polycl.runtime.dataspec`: arguments as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from polycl.backends.device import LocalMemory
from polycl.errors import ArgumentError
from polycl.runtime.dataspec import parse_data
from polycl.runtime.dtypes import dtype_fields, dtype_of
from polycl.runtime.type_names import parse_type


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("iota:i16:4:10:-2", np.array([10, 8, 6, 4], np.int16)),
        ("iota:f32:3:0.5:0.25", np.array([0.5, 0.75, 1.0], np.float32)),
        ("values:u8:1,2,300,-1", np.array([1, 2, 44, 255], np.uint8)),
        ("values:f32:1,-0.5,1e3,inf", np.array([1, -0.5, 1000, np.inf], np.float32)),
        ("zeros:f64:2x3", np.zeros((2, 3), np.float64)),
        ("full:i32:2x2:-7", np.full((2, 2), -7, np.int32)),
        ("full:u64:1:0xffffffffffffffff", np.array([2**64 - 1], np.uint64)),
        ("zeros:f32x4:2", np.zeros((2, 4), np.float32)),
        ("zeros:f32x3:2", np.zeros((2, 4), np.float32)),
    ],
)
def test_arrays(text: str, expected: np.ndarray):
    array = parse_data(text)
    assert isinstance(array, np.ndarray)
    assert array.dtype == expected.dtype
    np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", 3),
        ("-0x10", -16),
        ("2.5", 2.5),
        ("1e-3", 1e-3),
        (".5", 0.5),
        ("2.5f", np.float32(2.5)),
        ("1f", np.float32(1)),
        ("3u", np.uint32(3)),
        ("-3l", np.int64(-3)),
        ("18446744073709551615ul", np.uint64(2**64 - 1)),
        ("u8(200)", np.uint8(200)),
        ("i8(200)", np.int8(-56)),
        ("f16(0.5)", np.float16(0.5)),
    ],
)
def test_numbers(text: str, expected: Any):
    value = parse_data(text)
    assert type(value) is type(expected)
    assert value == expected


def test_local_memory_and_null():
    assert parse_data("local:4096") == LocalMemory(4096)
    assert parse_data("null") is None


def test_a_vector_value_is_a_structure_of_its_components():
    value: Any = parse_data("f32x3(1,2,3)")
    assert (value["x"], value["z"]) == (1.0, 3.0)
    assert value.dtype.itemsize == 16
    value = parse_data("i16x8(0,1,2,3,4,5,6,7)")
    assert value["s7"] == 7


def test_a_structure_lies_as_in_c():
    dtype = dtype_of(parse_type("{c:i8,p:f32x3,a:i16[3],q:{x:f32,y:f64}}"))
    fields: Any = dtype.fields
    assert [fields[n][1] for n in "cpaq"] == [0, 16, 32, 40]
    assert dtype.itemsize == 64
    value: Any = parse_data("{p:f32x4,i:i32[2]}((1,2,3,4),(5,6))")
    assert value["p"].tolist() == [1, 2, 3, 4]
    assert value["i"].tolist() == [5, 6]
    buffer: Any = parse_data("rand:{p:f32x3,n:u8}:5")
    assert buffer["p"].shape == (5, 3)
    assert (buffer["n"] < 100).all()


def test_arrays_of_vectors_and_arrays_in_structures():
    value: Any = parse_data("{v:f32x3[2],m:i32[2][3]}(((1,2,3),(4,5,6)),((1,2,3),(4,5,6)))")
    assert value["v"].tolist() == [[1, 2, 3, 0], [4, 5, 6, 0]]
    assert value["m"].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert value.dtype.itemsize == 64


def test_random_numbers_are_fixed_for_ever():
    numbers: Any = parse_data("rand:u32:4:0:4294967295", "x")
    assert numbers.tolist() == [3836975113, 1982961563, 3317841584, 3861177589]


def test_random_numbers_depend_on_the_name_and_on_the_seed():
    def numbers(text: str, name: str) -> list[int]:
        array: Any = parse_data(text, name)
        return array.tolist()

    assert numbers("rand:i32:8", "x") == numbers("rand:i32:8", "x")
    assert numbers("rand:i32:8", "x") != numbers("rand:i32:8", "y")
    assert numbers("rand:i32:8:seed=1", "x") != numbers("rand:i32:8:seed=2", "x")


def test_random_ranges():
    floats: Any = parse_data("rand:f32:10000:-2:3")
    assert -2 <= floats.min() < -1.99
    assert 2.99 < floats.max() < 3
    integers: Any = parse_data("rand:i8:1000:-2:3")
    assert set(integers.tolist()) == {-2, -1, 0, 1, 2, 3}
    wide: Any = parse_data("rand:i64:100:-9223372036854775808:9223372036854775807")
    assert wide.min() < 0 < wide.max()
    permutation: Any = parse_data("perm:i32:100")
    assert sorted(permutation.tolist()) == list(range(100))


def test_a_file(tmp_path: Path):
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.save(tmp_path / "a.npy", array)
    np.testing.assert_array_equal(np.asarray(parse_data("@a.npy", folder=tmp_path)), array)
    with pytest.raises(ArgumentError, match=r"'x'.*no numpy array in '.*b\.npy'"):
        parse_data("@b.npy", "x", tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("foo:f32:3", "unknown kind 'foo'; expected one of rand, bits"),
        ("rand:f33:3", "unknown type 'f33'; expected one of i8"),
        ("rand:f32x5:3", "a vector has 2, 3, 4, 8 or 16 elements"),
        ("rand:f32", "expected rand:TYPE:SHAPE"),
        ("rand:f32:0", "'0' is not a shape"),
        ("rand:f32:4x", "'4x' is not a shape"),
        ("rand:f32:4:1", "expected rand:TYPE:SHAPE or rand:TYPE:SHAPE:LO:HI"),
        ("rand:u8:4:0:256", "the range 0..256 is empty or does not fit uint8"),
        ("rand:i32:4:seed=x", "'x' is not a number"),
        ("zeros:f32:4:1", "'1' is not understood"),
        ("values:i32:1.5", "1.5 is not an integer"),
        ("2.5u", "the suffix 'u' does not fit"),
        ("hello", "expected a number, TYPE"),
        ("f32x4(1,2,3)", "has 3 values, the type has 4"),
        ("f32[3](1,2,3)", "put the array into a structure"),
        ("{p}(1)", "'p' is not a member; expected name:type"),
        ("{p:f32", "the brackets do not match"),
        ("{a:f32,a:i32}(1,2)", "two members of one name"),
        ("local:0", "expected local:BYTES"),
        ("@x.png", "'x.png' is not a .npy file"),
    ],
)
def test_errors_name_the_argument_and_the_text(text: str, message: str):
    with pytest.raises(ArgumentError) as error:
        parse_data(text, "arg")
    assert str(error.value).startswith(f"argument 'arg': cannot read '{text}': ")
    assert message in str(error.value)


def test_edges_are_the_values_at_the_ends_of_a_type():
    floats = parse_data("edges:f32:400", "x")
    assert isinstance(floats, np.ndarray)
    assert np.isnan(floats).any()
    assert np.isinf(floats).any()
    assert (np.signbit(floats) & (floats == 0)).any()
    chars = parse_data("edges:i8:400", "x")
    assert isinstance(chars, np.ndarray)
    assert set(chars.tolist()) == {-128, -127, -2, -1, 0, 1, 2, 3, 126, 127}
    ints = parse_data("edges:u32:400", "x")
    assert isinstance(ints, np.ndarray)
    assert set(ints.tolist()) == {0, 1, 2, 3, 2**32 - 2, 2**32 - 1}


def test_packed_structures():
    array = parse_data("iota:packed{tag:i8,value:i32,rest:u8[3]}:2")
    assert isinstance(array, np.ndarray)
    assert array.dtype.itemsize == 8
    assert [at for _, _, at in dtype_fields(array.dtype)] == [0, 1, 5]


def test_images_and_samplers():
    image = parse_data("image2d:raw:iota:u8:2x3x4")
    assert repr(image) == "polycl.Image(3x2, rgba, uint8)"
    assert isinstance(image, polycl.Image)
    assert image.array[1, 2].tolist() == [20, 21, 22, 23]
    assert not image.normalized
    sampler = parse_data("sampler:linear:repeat:normalized")
    assert isinstance(sampler, polycl.Sampler)
    assert sampler.bits == polycl.Sampler("repeat", "linear", normalized=True).bits
    with pytest.raises(ArgumentError, match="expected image2d:ARRAY"):
        parse_data("image2d:5")
    with pytest.raises(ArgumentError, match="a sampler cannot have address='nearst'"):
        parse_data("sampler:nearst")
