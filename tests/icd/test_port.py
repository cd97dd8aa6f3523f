"""POLYCL_PORT: launches run as was decided for the same launches of a recorded run."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from polycl.errors import PolyclError, SourceError
from polycl.runtime.host.port.decisions import Decision, keep
from polycl.runtime.host.port.replay import RecordedLaunch, replay
from polycl.runtime.host.port.trials import Check, Launches, Outcome
from polycl.tools.polycl import run as polycl_command

Host = Callable[..., "subprocess.CompletedProcess[str]"]

SIZE, NUMBER = 256, 100


def digest_of_program(log: Path) -> str:
    """Of the one program whose kernels are launched."""
    found: set[str] = set()

    def note(launch: RecordedLaunch) -> None:
        found.add(launch.program)

    replay(log, note)
    (program,) = found
    return program


@pytest.fixture
def decided(run_host: Host, tmp_path: Path) -> Path:
    """A folder with decisions of all kinds about the kernel `scale` of the host `ported`."""
    folder = tmp_path / "record"
    run_host("recorded.c", "ported", str(SIZE), str(NUMBER), POLYCL_RECORD=str(folder))
    program = digest_of_program(folder / "recorded.log")
    decision = Decision(
        program,
        "scale",
        (SIZE, 1, 1),
        None,
        group=(32, 1, 1),
        constants=((2, NUMBER),),
        without=("wg-vectorize",),
        enable=("zeros", "unknown"),
    )
    assert keep([decision], tmp_path / "port") == [tmp_path / "port" / f"{program}.port"]
    return tmp_path / "port"


def ported(run_host: Host, folder: Path, *arguments: str, port: Path | None) -> str:
    """What the compiler says about the kernel of the host, which prints the same as without."""
    remarks = folder / f"{'-'.join(arguments)}-{port is None}.txt"
    plain = run_host("recorded.c", "ported", *arguments)
    variables = {} if port is None else {"POLYCL_PORT": str(port)}
    done = run_host("recorded.c", "ported", *arguments, POLYCL_REMARKS=str(remarks), **variables)
    assert done.stdout == plain.stdout
    assert done.stderr == ""
    return remarks.read_text()


def test_decisions_are_used(run_host: Host, decided: Path, tmp_path: Path) -> None:
    sizes = (str(SIZE), str(NUMBER))
    text = ported(run_host, tmp_path, *sizes, port=decided)
    assert "kernel 'scale', local size 32 x 1 x 1:" in text
    assert f"'n' is {NUMBER} [wg-specialize]" in text
    assert "[wg-vectorize]" not in text
    plain = ported(run_host, tmp_path, *sizes, port=None)
    assert "kernel 'scale', local size 32 x 1 x 1:" not in plain
    assert "[wg-specialize]" not in plain
    assert "[wg-vectorize]" in plain


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param((str(2 * SIZE), str(NUMBER)), id="another global size"),
        pytest.param((str(SIZE), str(NUMBER + 1)), id="another number"),
        pytest.param((str(SIZE), str(-NUMBER)), id="another sign"),
        pytest.param((str(SIZE), str(NUMBER), "-DOTHER"), id="other build options"),
    ],
)
def test_other_launches_run_as_without(
    run_host: Host, decided: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    assert ported(run_host, tmp_path, *arguments, port=decided) == ported(
        run_host, tmp_path, *arguments, port=None
    )


def test_decisions_hold_in_another_folder(run_host: Host, tmp_path: Path) -> None:
    """A program is known by what it includes, not by where that is."""
    folders = {name: tmp_path / name for name in ("first", "second", "changed")}
    for name, folder in folders.items():
        folder.mkdir()
        (folder / "header.h").write_text(f"#define CHANGED {name == 'changed'}\n")
    arguments = {
        name: (str(SIZE), str(NUMBER), f"-DHEADER=<header.h> -I {folder}")
        for name, folder in folders.items()
    }
    log = tmp_path / "record/recorded.log"
    run_host("recorded.c", "ported", *arguments["first"], POLYCL_RECORD=str(log.parent))
    decision = Decision(digest_of_program(log), "scale", None, None, constants=((2, NUMBER),))
    keep([decision], tmp_path / "port")
    used = {}
    for name in folders:
        remarks = tmp_path / f"{name}.txt"
        variables = {"POLYCL_PORT": str(tmp_path / "port"), "POLYCL_REMARKS": str(remarks)}
        run_host("recorded.c", "ported", *arguments[name], **variables)
        used[name] = "[wg-specialize]" in remarks.read_text()
    assert used == {"first": True, "second": True, "changed": False}


def test_constants_that_change_between_launches(run_host: Host, tmp_path: Path) -> None:
    """A decision for one value of an argument: the launches of a program that have it use it."""
    folder = tmp_path / "record"
    plain = run_host("recorded.c", "loops", POLYCL_RECORD=str(folder))
    program = digest_of_program(folder / "recorded.log")
    decisions = [
        Decision(program, "scale", None, (64, 1, 1), constants=((2, 240),)),
        Decision(program, "scale", None, None, constants=((2, 9),), group=(128, 1, 1)),
    ]
    keep(decisions, tmp_path / "port")
    remarks = tmp_path / "remarks.txt"
    variables = {"POLYCL_PORT": str(tmp_path / "port"), "POLYCL_REMARKS": str(remarks)}
    assert run_host("recorded.c", "loops", **variables).stdout == plain.stdout
    text = remarks.read_text()
    assert "'n' is 240 [wg-specialize]" in text
    assert "'n' is 9 [wg-specialize]" in text


@pytest.mark.parametrize("name", ["images", "structures"])
def test_recorded_decided_and_run_again(
    run_host: Host, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole way: record, `polycl port`, and the unchanged program prints the same."""
    folder, output = tmp_path / "record", tmp_path / "port"
    plain = run_host("recorded.c", name, POLYCL_RECORD=str(folder))
    assert polycl_command(["port", str(folder), "-o", str(output)]) is None
    *outcomes, wrote = capsys.readouterr().out.splitlines()
    assert all("% of the time; " in outcome for outcome in outcomes)
    (file,) = output.glob("*.port")
    assert wrote == f"wrote {file}"
    assert len(file.read_text().splitlines()) == len(outcomes) > 0
    for _ in range(2):
        done = run_host("recorded.c", name, POLYCL_PORT=str(output))
        assert (done.stdout, done.stderr) == (plain.stdout, "")


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, {0}),
        (2, {0, 1}),
        (5, {0, 1, 2, 3, 4}),
        (10, {1, 3, 5, 7, 9}),
        (100, {10, 30, 50, 70, 90}),
    ],
)
def test_launches_that_are_checked(count: int, expected: set[int]) -> None:
    assert Launches(list(range(count))).some == expected


def test_decision_that_other_launches_do_not_like() -> None:
    plain = Decision("", "k", None, None)
    decision = Decision("", "k", None, None, constants=((0, 1),))
    old = Outcome(decision, plain, 0.5, 4.0, 2.0, ("a note",))
    assert Check(old, {1}, before=3.0, after=1.0).outcome == old
    assert Check(old, {1}).outcome == old  # all launches run as without it
    slower = Check(old, {1}, before=1.0, after=2.0).outcome
    assert (slower.decision, slower.before, slower.after) == (plain, 4.0, 4.0)
    assert slower.notes == (
        "a note",
        "k\t*\t-\t-\tconstants=0:1: 1000.000 -> 2000.000 ms in other launches",
    )
    wrong = Check(old, {1}, before=3.0, after=1.0, notes=("results differ",)).outcome
    assert (wrong.decision, wrong.notes) == (plain, ("a note", "results differ"))


def test_messages(run_host: Host, decided: Path, tmp_path: Path) -> None:
    sizes = (str(SIZE), str(NUMBER))
    run = run_host("recorded.c", "ported", *sizes, POLYCL_PORT="nvidia-gpu")
    assert run.stderr == (
        "polycl: POLYCL_PORT is 'nvidia-gpu'; expected polycl-cpu, or a folder with a / in its "
        "name: it is ignored\n"
    )
    missing = tmp_path / "missing"
    run = run_host("recorded.c", "ported", *sizes, POLYCL_PORT=str(missing))
    assert run.stderr == (
        f"polycl: POLYCL_PORT: there is no folder '{missing}'; record a run by POLYCL_RECORD=DIR, "
        "and run `polycl port DIR`\n"
    )
    (file,) = decided.glob("*.port")
    with file.open("a") as lines:
        lines.write("unknown\t*\t-\t-\t\nscale\t256 1\t-\t-\t\nscale\t*\t-\t-\tconstants=0:7\n")
    run = run_host("recorded.c", "ported", *sizes, POLYCL_PORT=str(decided))
    # The program is built twice.
    assert set(run.stderr.splitlines()) == {
        f"polycl: {file}:{line}:1: POLYCL_PORT: expected a decision about a kernel of the program; "
        "the line is ignored: make it again by `polycl port`"
        for line in (2, 3, 4)
    }


def test_decision_of_another_version(run_host: Host, decided: Path, tmp_path: Path) -> None:
    """A pass that this version does not have is not left out; the launch runs."""
    (file,) = decided.glob("*.port")
    file.write_text(file.read_text().replace("wg-vectorize", "wg-vectorize-all"))
    text = ported(run_host, tmp_path, str(SIZE), str(NUMBER), port=decided)
    assert f"'n' is {NUMBER} [wg-specialize]" in text
    assert "[wg-vectorize]" in text


def test_group_that_a_kernel_cannot_have(run_host: Host, tmp_path: Path) -> None:
    """A kernel that sees its groups keeps those of the launch."""
    folder = tmp_path / "record"
    plain = run_host("recorded.c", "sums", POLYCL_RECORD=str(folder))
    decision = Decision(
        digest_of_program(folder / "recorded.log"), "sums", None, (32, 1, 1), group=(64, 1, 1)
    )
    keep([decision], tmp_path / "port")
    done = run_host("recorded.c", "sums", POLYCL_PORT=str(tmp_path / "port"))
    assert done.stdout == plain.stdout


def test_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYCL_CACHE_DIR", "")
    with pytest.raises(PolyclError, match="there is no cache .* name a folder by -o"):
        polycl_command(["port", str(tmp_path)])


def test_refused_recording(run_host: Host, tmp_path: Path) -> None:
    run_host("recorded.c", "refused", POLYCL_RECORD=str(tmp_path))
    with pytest.raises(SourceError, match=r"recorded\.log:2:1: error: the command of type 0x11f6"):
        polycl_command(["port", str(tmp_path), "-o", str(tmp_path / "port")])


def test_no_recording(tmp_path: Path) -> None:
    with pytest.raises(PolyclError, match="there is no recorded run in it"):
        polycl_command(["port", str(tmp_path), "-o", str(tmp_path / "port")])
