"""Graphile Worker from npm: a bare queue on PostgreSQL that users know."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from peers import node

DRIVER = pathlib.Path(__file__).parent / "graphile"
NODE_LEAST = (22, 18)
CALL_SECONDS_MAX = 900


class GraphileWorker:
    """The driver with what it needs installed, in a folder of this run."""

    def __init__(self, directory):
        self.folder = directory / "graphile"
        self.node, self.npm = node.find(NODE_LEAST)
        shutil.copytree(DRIVER, self.folder, ignore=shutil.ignore_patterns("node_modules"))
        (self.folder / "node_modules").symlink_to(self.modules())
        manifest = json.loads((DRIVER / "package.json").read_text(encoding="utf-8"))
        self.version = manifest["dependencies"]["graphile-worker"]
        self.node_version = ".".join(map(str, node.version_of(self.node[0])))

    def modules(self):
        """What the lock file lists, installed once for all runs with this lock file."""
        lock = hashlib.sha256((DRIVER / "package-lock.json").read_bytes()).hexdigest()[:16]
        installed = node.cache_directory() / f"graphile-{lock}"
        if not installed.exists():
            print("  getting Graphile Worker", file=sys.stderr, flush=True)
            installed.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=installed.parent) as directory:
                fresh = pathlib.Path(directory) / "installed"
                fresh.mkdir()
                for name in ("package.json", "package-lock.json"):
                    shutil.copy(DRIVER / name, fresh)
                subprocess.run(
                    [*self.npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund",
                     "--loglevel", "error"],
                    cwd=fresh, check=True, stdout=subprocess.DEVNULL)
                os.replace(fresh, installed)  # At once and whole, or not at all.
        return installed / "node_modules"

    def call(self, command, url, **options):
        done = subprocess.run(
            [*self.node, "main.mjs", command, json.dumps({"url": url, **options})],
            cwd=self.folder, check=True, text=True, stdout=subprocess.PIPE,
            timeout=CALL_SECONDS_MAX)
        return json.loads(done.stdout)
