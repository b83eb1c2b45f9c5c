"""The command `pipeline` that the package brings along."""

import signal
import subprocess
import sys
import time

from conftest import EASY

import sudoku_pipeline as sp


def test_the_command_is_the_command(command, tmp_path):
    version = subprocess.run([command, "--version"], capture_output=True, text=True)
    assert (version.returncode, version.stdout.split()[1]) == (0, sp.__version__)
    (tmp_path / "in.txt").write_text(EASY + "\n")
    arguments = ["grade", "in.txt", "-o", "-", "--format", "csv", "--select", "technique"]
    for start in ([command], [sys.executable, "-m", "sudoku_pipeline"]):
        done = subprocess.run([*start, *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "technique\nnaked_single\n")


def test_exit_codes_are_those_of_the_command_line(command, tmp_path):
    def code(*arguments):
        return subprocess.run([command, *arguments], cwd=tmp_path, capture_output=True).returncode

    (tmp_path / "bad.txt").write_text("nothing\n")
    (tmp_path / "there.csv").write_text("")
    assert code("grade", "missing.txt", "-o", "out.csv") == 2
    assert code("grade", "--no-such-option") == 2
    assert code("grade", "bad.txt", "-o", "out.csv") == 3
    assert code("grade", "bad.txt", "-o", "there.csv") == 4


def test_ctrl_c_stops_the_command(command, tmp_path):
    arguments = [command, "generate", "1000000", "--seed", "1", "--clues", "19", "-o", "made.csv"]
    process = subprocess.Popen(arguments, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    # Its temporary file is there: it runs.
    while process.poll() is None and not any(tmp_path.iterdir()):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and "stopped by SIGINT" in said
    assert "Traceback" not in said and not (tmp_path / "made.csv").exists()


def test_a_closed_pipe_ends_the_command_quietly(command, tmp_path):
    (tmp_path / "in.txt").write_text((EASY + "\n") * 200_000)
    line = f"{command} convert in.txt -o - --format lines | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, EASY + "\n", "")
