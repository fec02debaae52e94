"""Disks that run full and are freed again."""

import os
import pathlib
import subprocess
import tempfile
import unittest


class PretendedDisk:
    """Full while a file exists; see tests/support/full_disk.c, which `preload` is the library of."""

    def __init__(self, preload):
        self._directory = tempfile.TemporaryDirectory(prefix="millrace_e2e_")
        self.folder = pathlib.Path(self._directory.name)
        self.folder.chmod(0o755)  # A database under another account has to see the file.
        self._flag = self.folder / "full"
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        self.environment = {"LD_PRELOAD": preload, "MILLRACE_TEST_FULL_DISK": str(self._flag),
                            "ASAN_OPTIONS": sanitizer}

    def fill(self):
        self._flag.touch()

    def free(self):
        self._flag.unlink()

    def remove(self):
        self._directory.cleanup()


class SmallDisk:
    """A file system of its own, filled by a file."""

    environment = {}

    def __init__(self, megabytes):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="millrace_e2e_"))
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", self.folder],
            capture_output=True, check=False)
        if done.returncode != 0:
            self.folder.rmdir()
            raise unittest.SkipTest("This machine does not let us mount a file system.")
        self._filler = self.folder / "filler"

    def fill(self):
        with open(self._filler, "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(b"x" * 4096)
            except OSError:
                pass

    def free(self):
        self._filler.unlink()

    def remove(self):
        subprocess.run(["umount", "-l", self.folder], check=True)
        self.folder.rmdir()
