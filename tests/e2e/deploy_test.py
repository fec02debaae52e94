#!/usr/bin/env python3
"""Holds the files of deploy/ to the program and to this repository, without running a container.

Usage: deploy_test.py PROGRAM [unittest arguments]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml
from server import postgres_url

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
VARIABLE = re.compile(r"\bMILLRACE_[A-Z_]+")
SETTING = re.compile(r"^(MILLRACE_[A-Z_]+)=(.*)$", re.MULTILINE)
PATIENCE_SECONDS = 60
PROGRAM = ""


def read(name):
    return (DEPLOY / name).read_text(encoding="utf-8")


def load(name):
    return yaml.safe_load(read(name))


def run(*command, **environment):
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS,
        env={**os.environ, **environment})


def help_text():
    return run(PROGRAM, "serve", "--help").stdout


def instructions():
    """(instruction, arguments) of the Containerfile, continued lines joined."""
    text = re.sub(r"\\\n", " ", read("Containerfile"))
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [line.split(maxsplit=1) for line in lines]


def directives(name):
    """[(key, value)] of a unit file."""
    return re.findall(r"^(\w+)=(.*)$", read(name), re.MULTILINE)


class SettingsTest(unittest.TestCase):
    """Whatever the files set, the server understands."""

    def test_every_variable_is_one_of_the_server(self):
        known = help_text()
        self.assertIn("MILLRACE_STORE", known)
        for path in sorted(DEPLOY.rglob("*")):
            if not path.is_file():
                continue
            for name in VARIABLE.findall(path.read_text(encoding="utf-8")):
                with self.subTest(path.relative_to(ROOT), name=name):
                    # The store is a secret: it may stand in a file of its own.
                    self.assertIn(name.removesuffix("_FILE"), known)

    def check_settings(self, settings):
        result = run(PROGRAM, "serve", "--print-config", **settings)
        self.assertEqual(result.returncode, 0, result.stderr)
        return yaml.safe_load(result.stdout)

    def test_the_example_of_the_service_is_accepted(self):
        printed = self.check_settings(dict(SETTING.findall(read("systemd/millrace.env"))))
        self.assertEqual(printed["auth"], "keys")
        self.assertEqual(printed["listen"], "0.0.0.0")

    def test_the_settings_of_the_image_are_accepted(self):
        set_by = [argument for name, argument in instructions() if name == "ENV"]
        settings = dict(pair.split("=", 1) for line in set_by for pair in line.split())
        self.assertEqual(self.check_settings(settings)["auth"], "keys")

    def test_the_store_of_the_services_is_read_from_its_secret(self):
        with tempfile.NamedTemporaryFile("w") as secret:
            secret.write("postgres://millrace:x@postgres/millrace\n")
            secret.flush()
            printed = self.check_settings({"MILLRACE_STORE_FILE": secret.name})
        self.assertEqual(printed["store"], "postgres://millrace:***@postgres/millrace")


class ServiceTest(unittest.TestCase):
    @unittest.skipUnless(shutil.which("systemd-analyze"), "there is no systemd here")
    def test_systemd_accepts_the_unit(self):
        with tempfile.TemporaryDirectory(prefix="millrace_unit_") as folder:
            unit = pathlib.Path(folder) / "millrace.service"
            unit.write_text(read("systemd/millrace.service").replace("/usr/bin/millrace", PROGRAM))
            changes = pathlib.Path(folder) / "millrace.service.d"
            changes.mkdir()
            (changes / "postgres.conf").write_text(read("systemd/postgres.conf"))
            result = run("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(unit),
                         SYSTEMD_UNIT_PATH=f"{folder}:")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_the_command_and_the_folders_are_those_of_the_program(self):
        unit = dict(directives("systemd/millrace.service"))
        self.assertEqual(unit["ExecStart"], "/usr/bin/millrace serve")
        self.assertEqual(unit["WorkingDirectory"], "/var/lib/" + unit["StateDirectory"])
        self.assertIn("/etc/millrace/millrace.yaml", help_text())

    def test_it_waits_longer_than_the_server_takes_to_stop(self):
        unit = dict(directives("systemd/millrace.service"))
        config = yaml.safe_load(run(PROGRAM, "serve", "--print-config").stdout)
        self.assertGreater(int(unit["TimeoutStopSec"]), config["shutdownSeconds"])

    def test_the_credential_is_the_file_that_is_read(self):
        changes = dict(directives("systemd/postgres.conf"))
        name = changes["LoadCredential"].split(":")[0]
        self.assertEqual(changes["Environment"], f"MILLRACE_STORE_FILE=%d/{name}")


class ImageTest(unittest.TestCase):
    def arguments(self, name):
        return [argument for each, argument in instructions() if each == name]

    def test_what_is_copied_and_run_exists(self):
        copies = [each for each in self.arguments("COPY") if not each.startswith("--from")]
        self.assertTrue(copies)
        for source in (name for each in copies for name in each.split()[:-1]):
            self.assertTrue((ROOT / source).exists(), source)
        for script in re.findall(r"\btools/[\w.]+", read("Containerfile")):
            self.assertTrue(os.access(ROOT / script, os.X_OK), script)

    def test_the_program_is_taken_from_where_the_build_puts_it(self):
        source = next(each for each in self.arguments("COPY") if each.startswith("--from=build"))
        self.assertEqual(source.split()[1:], ["/source/build/release/millrace", "/usr/bin/millrace"])
        self.assertEqual(self.arguments("ENTRYPOINT"), ['["/usr/bin/millrace"]'])
        self.assertEqual(self.arguments("CMD"), ['["serve"]'])

    def test_the_libraries_of_the_program_are_installed(self):
        linked = run("ldd", PROGRAM).stdout
        if re.search(r"lib[at]san\.so", linked):
            self.skipTest("nobody installs a program that sanitizers watch")
        installed = self.arguments("RUN")[-1]
        for path in re.findall(r"=> (/\S+)", linked):
            owner = run("dpkg-query", "-S", os.path.realpath(path)).stdout.split(":")[0]
            # In every Debian, however small.
            if owner in ("libc6", "libgcc-s1", "zlib1g"):
                continue
            if self.is_needed_directly(path):
                with self.subTest(path):
                    self.assertIn(f" {owner} ", installed)

    def is_needed_directly(self, path):
        """What libraries need themselves comes with their packages."""
        needed = run("readelf", "-d", PROGRAM).stdout
        return f"[{os.path.basename(path)}]" in needed

    def test_ports_and_health_are_those_of_the_server(self):
        config = yaml.safe_load(run(PROGRAM, "serve", "--print-config").stdout)
        ports = " ".join(str(config[name]) for name in ("restPort", "grpcPort", "metricsPort"))
        self.assertEqual(self.arguments("EXPOSE"), [ports])
        self.assertIn(f"http://localhost:{config['restPort']}/readyz", read("Containerfile"))
        self.assertIn('"/readyz"', (ROOT / "src/api/rest/routes.cpp").read_text(encoding="utf-8"))

    def test_it_does_not_run_as_root(self):
        self.assertEqual(self.arguments("USER"), ["millrace"])


class ComposeTest(unittest.TestCase):
    def setUp(self):
        self.compose = load("compose.yaml")
        self.services = self.compose["services"]

    def made_by_hand(self, path):
        """The instructions tell how to make it."""
        return path.removeprefix("./") in read("README.md")

    def test_every_file_that_is_mounted_exists(self):
        for name, service in self.services.items():
            for volume in service.get("volumes", []):
                source = volume.split(":")[0]
                with self.subTest(name, source=source):
                    if source.startswith("."):
                        self.assertTrue((DEPLOY / source).exists())
                    else:
                        self.assertIn(source, self.compose["volumes"])

    def test_every_secret_is_declared_and_explained(self):
        for name, secret in self.compose["secrets"].items():
            self.assertTrue(self.made_by_hand(secret["file"]), name)
        for name, service in self.services.items():
            self.assertLessEqual(set(service.get("secrets", [])), set(self.compose["secrets"]), name)
            given = {f"/run/secrets/{each}" for each in service.get("secrets", [])}
            used = {value for value in service.get("environment", {}).values()
                    if value.startswith("/run/secrets/")}
            self.assertLessEqual(used, given, name)

    def test_the_image_is_built_from_this_repository(self):
        for name in ("millrace-1", "millrace-2"):
            build = self.services[name]["build"]
            self.assertEqual((DEPLOY / build["context"]).resolve(), ROOT)
            self.assertTrue((ROOT / build["dockerfile"]).exists())
            self.assertEqual(self.services[name]["command"], ["serve"])

    def test_ports_lead_to_ports_that_are_listened_on(self):
        inside = {"millrace-1": "8080", "millrace-2": "8080", "prometheus": "9090", "grafana": "3000"}
        outside = []
        for name, service in self.services.items():
            for port in service.get("ports", []):
                address, published, target = port.split(":")
                self.assertEqual((address, target), ("127.0.0.1", inside[name]), name)
                outside.append(published)
        self.assertEqual(len(set(outside)), len(outside))

    def test_settings_of_the_database_are_ones_that_it_has(self):
        command = self.services["postgres"]["command"]
        settings = [each for each in command if "=" in each]
        self.assertGreater(len(settings), 3)
        self.assertEqual(len(command), 1 + 2 * len(settings))
        page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
        for setting in settings:
            name = setting.split("=")[0]
            self.assertIn(f"`{name}`", page, "the page has no reason for it")
            self.assertEqual(run("psql", "-X", "-c", f"SHOW {name}", postgres_url()).returncode, 0)


class WatchTest(unittest.TestCase):
    def setUp(self):
        self.compose = load("compose.yaml")["services"]

    def mounts(self, name):
        return {each.split(":")[1]: DEPLOY / each.split(":")[0]
                for each in self.compose[name]["volumes"] if each.startswith(".")}

    def test_prometheus_reads_files_that_are_mounted_and_scrapes_services(self):
        config = load("prometheus/prometheus.yml")
        for path in config["rule_files"]:
            self.assertTrue(self.mounts("prometheus")[path].exists())
        (job,) = config["scrape_configs"]
        secret = job["authorization"]["credentials_file"].removeprefix("/run/secrets/")
        self.assertIn(secret, self.compose["prometheus"]["secrets"])
        targets = [each for group in job["static_configs"] for each in group["targets"]]
        self.assertCountEqual(targets, ["millrace-1:9091", "millrace-2:9091"])
        for target in targets:
            self.assertIn(target.split(":")[0], self.compose)

    def test_grafana_finds_prometheus_and_the_dashboard(self):
        (source,) = load("grafana/provisioning/datasources/millrace.yaml")["datasources"]
        self.assertEqual(source["url"], "http://prometheus:9090")
        (provider,) = load("grafana/provisioning/dashboards/millrace.yaml")["providers"]
        folders = [os.path.dirname(path) for path in self.mounts("grafana")]
        self.assertIn(provider["options"]["path"], folders)


class InstructionsTest(unittest.TestCase):
    """The commands of deploy/README.md are ones that the program takes."""

    def test_every_command_of_the_program_exists(self):
        commands = re.findall(r"millrace(?:-1)? (keys create .*)", read("README.md"))
        self.assertGreaterEqual(len(commands), 3)
        flags = run(PROGRAM, "keys", "create", "--help").stdout
        for command in commands:
            for flag in re.findall(r"--[\w-]+", command):
                self.assertIn(flag, flags, command)

    def test_every_file_that_is_installed_exists(self):
        sources = re.findall(r"install -m \d+ (deploy/\S+)", read("README.md"))
        self.assertGreaterEqual(len(sources), 2)
        for source in sources:
            self.assertTrue((ROOT / source).exists(), source)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
