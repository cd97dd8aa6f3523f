"""The command `polycl`: as a module, and the completion of options in shells."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from polycl.tools.polycl import run


def test_the_module_is_the_command():
    for arguments in (["--version"], ["--help"]):
        shown = [
            subprocess.run(command, capture_output=True, text=True, check=True).stdout
            for command in (
                [sys.executable, "-m", "polycl", *arguments],
                [sys.executable, "-c", "from polycl.tools.polycl import main; main()", *arguments],
            )
        ]
        assert shown[0] == shown[1]
        assert "polycl" in shown[0]


@pytest.mark.parametrize(
    ("tool", "word", "completed"),
    [
        ("polycl", "exp", {"explore", "explorer"}),
        ("ocl-run", "--glo", {"--global"}),
        ("ocl-run", "-gline", {"-gline-tables-only"}),
        ("ocl-opt", "--print-after-c", {"--print-after-change"}),
    ],
)
def test_bash_completes_words(
    tool: str, word: str, completed: set[str], capsys: pytest.CaptureFixture[str]
):
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    run(["completion", "bash", "--tool", tool])
    script = capsys.readouterr().out
    ask = (
        f'COMP_WORDS=({tool} "{word}"); COMP_CWORD=1; '
        f"$(complete -p {tool} | sed 's/.*-F \\([^ ]*\\) .*/\\1/') {tool} '{word}' {tool}; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        [bash, "-c", f"{script}\n{ask}"], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == completed, done.stderr


@pytest.mark.parametrize("tool", ["polycl", "ocl-run", "ocl-opt"])
@pytest.mark.parametrize("shell", ["zsh", "tcsh"])
def test_other_shells_have_a_script(tool: str, shell: str, capsys: pytest.CaptureFixture[str]):
    run(["completion", shell, "--tool", tool])
    assert tool in capsys.readouterr().out
