"""Shells for a guide: one that the reader types into, and those in which programs run on."""

import os
import pathlib
import signal
import subprocess
import tempfile
import threading

PATIENCE_SECONDS = 60


class Shell:
    """A bash that keeps its variables from block to block, as a terminal does."""

    def __init__(self, directory, environment):
        self._process = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], cwd=directory, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=1,
            start_new_session=True)
        self._directory = tempfile.TemporaryDirectory(prefix="millrace_blocks_")
        self._count = 0
        self._process.stdin.write("trap 'GUIDE_EXIT=$?' ERR\n")

    def run(self, text):
        """(exit code of the last command that failed or 0, all that was printed)."""
        self._count += 1
        mark = f"end-of-block-{self._count}"
        # From a file, so that no command reads the rest of the guide as its standard input.
        block = pathlib.Path(self._directory.name) / mark
        block.write_text(text, encoding="utf-8")
        self._process.stdin.write(
            f"GUIDE_EXIT=0; source {block} </dev/null; echo; echo {mark} $GUIDE_EXIT\n")
        self._process.stdin.flush()
        watch = threading.Timer(PATIENCE_SECONDS, self.close)
        watch.start()
        printed = []
        try:
            for line in self._process.stdout:
                if line.startswith(mark):
                    return int(line.split()[1]), "".join(printed)[:-1]
                printed.append(line)
        finally:
            watch.cancel()
        raise AssertionError("The shell ended or took too long:\n" + "".join(printed))

    def close(self):
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()
        self._directory.cleanup()


class Terminal:
    """A program that runs beside the reader's shell; its output goes to a file."""

    def __init__(self, text, directory, environment, log_path):
        self.log_path = log_path
        self._log = open(log_path, "w", encoding="utf-8")
        # exec, so that Ctrl-C reaches the program and nothing stands between.
        self._process = subprocess.Popen(
            ["bash", "-c", "exec " + text.strip()], cwd=directory, env=environment,
            stdout=self._log, stderr=subprocess.STDOUT, start_new_session=True)

    def is_running(self):
        return self._process.poll() is None

    def interrupt(self):
        """Ctrl-C; returns the exit code."""
        os.killpg(self._process.pid, signal.SIGINT)
        return self._process.wait(PATIENCE_SECONDS)

    def close(self):
        if self.is_running():
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._log.close()

    def log(self):
        with open(self.log_path, encoding="utf-8") as file:
            return file.read()
