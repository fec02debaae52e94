#!/usr/bin/env python3
"""Keys, certificates, the audit log and backups, by commands against servers that ask who calls.

Usage: cli_access_test.py PROGRAM [unittest arguments]
"""

import os
import subprocess
import sys
import unittest

from certificates import Certificate
from cli_case import CliTestCase
from client import PATIENCE_SECONDS
from definitions import one_task


class AccessTestCase(CliTestCase):
    def first_key(self, store):
        """Made in the data directory, before there is a server."""
        made = self.millrace_json("keys", "create", "ops", "--role", "admin",
                                  "--new", "--data-dir", str(store.path.parent))
        self.environment["MILLRACE_API_KEY"] = made["key"]
        return made

    def serve_with_keys(self, *options):
        store = self.new_store()
        key = self.first_key(store)
        self.server = self.new_server(store, "--auth", "keys", *options)
        return key


class KeysTest(AccessTestCase):
    def test_keys_are_made_listed_and_revoked(self):
        first = self.serve_with_keys()
        made = self.millrace_json("keys", "create", "ci", "--role", "viewer", "--for-workspace",
                                  "acme", "--expires-at", "2999-01-01T00:00:00Z")
        self.assertEqual((made["role"], made["workspace"]), ("viewer", "acme"))
        listed = {each["id"]: each for each in self.items("keys", "list")}
        self.assertEqual(set(listed), {first["id"], made["id"]})
        self.assertNotIn("key", listed[made["id"]])
        table = self.millrace("keys", "list").stdout
        self.assertRegex(table, rf"(?m)^{first['id']} +ops +admin +\(all\) ")
        self.assertNotIn(made["key"], table)

        admin = self.environment["MILLRACE_API_KEY"]
        self.environment["MILLRACE_API_KEY"] = made["key"]
        self.assertEqual(self.items("instances", "list"), [])
        self.assertIn("use another key", self.refused("forbidden", "keys", "list"))
        self.refused("forbidden", "instances", "start", "x")
        self.refused("forbidden", "instances", "list", "--workspace", "globex")
        self.environment["MILLRACE_API_KEY"] = admin
        self.assertEqual(self.millrace("keys", "revoke", made["id"]).stdout,
                         f"{made['id']} is revoked.\n")
        self.refused("not-found", "keys", "revoke", "nobody")
        self.environment["MILLRACE_API_KEY"] = made["key"]
        self.refused("unauthorized", "instances", "list")

    def test_a_wrong_key_is_told_what_to_do(self):
        key = self.serve_with_keys()["key"]
        for wrong in ("nonsense", key[:-8] + "AAAAAAAA", ""):
            with self.subTest(wrong):
                self.environment["MILLRACE_API_KEY"] = wrong
                said = self.refused("unauthorized", "instances", "list")
                self.assertIn("--api-key", said)
                self.assertNotIn(key, said)
        del self.environment["MILLRACE_API_KEY"]
        self.refused("unauthorized", "instances", "list")
        self.assertEqual(self.items("instances", "list", "--api-key", key), [])

    def test_a_key_that_cannot_be_shown_is_no_success(self):
        self.serve_with_keys()
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run(
                [self.program, "keys", "create", "lost", "--role", "viewer"], stdout=full,
                stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE_SECONDS,
                env=self.all_variables())
        [lost] = [each for each in self.items("keys", "list") if each["name"] == "lost"]
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"The key {lost['id']} was created and is lost", result.stderr)

    def test_a_directory_in_use_gets_no_key(self):
        self.serve_with_keys()
        said = self.millrace("keys", "create", "second", "--role", "admin", "--data-dir",
                             str(self.server.store.path.parent), expect=1).stderr
        self.assertIn(f"in use by process {self.server.pid()}", said)
        self.millrace("keys", "create", "third", "--role", "king", expect=2)
        self.millrace("keys", "create", "fourth", expect=2)

    def test_a_directory_without_a_store_gets_no_key(self):
        wanted = ["keys", "create", "ops", "--role", "admin", "--data-dir", "data/typo"]
        said = self.millrace(*wanted, expect=2).stderr
        self.assertIn("There is no store data/typo/millrace.db.", said)
        self.assertIn("millrace serve", said)
        self.millrace(*wanted, "--new", "--expires-at", "2020-01-01T00:00:00Z", expect=2)
        self.assertEqual(list(self.directory.iterdir()), [])
        self.millrace(*wanted, "--new")
        self.millrace(*wanted)
        self.assertIn("--data-dir", self.millrace("keys", "create", "ops", "--role", "admin",
                                                  "--new", expect=2).stderr)

    def test_the_audit_log_names_keys(self):
        first = self.serve_with_keys()
        [made] = self.items("audit", "--kind", "KEY_CREATED")
        self.assertEqual((made["subject"], made["actor"]), (first["id"], {"type": "anonymous"}),
                         "Whoever has the directory may make keys, but not in silence.")
        self.apply(one_task("audited"))
        instance = self.start("audited", "--var", "pin=geheim")
        self.millrace("instances", "cancel", instance)
        self.assertEqual([each["kind"] for each in self.items("audit", "--key", first["id"])],
                         ["INSTANCE_CANCELLED", "INSTANCE_STARTED", "DEFINITION_UPLOADED"])
        [started] = self.items("audit", "--kind", "INSTANCE_STARTED", "--instance", instance)
        for options, expected in [
                (["--since", started["at"]], ["INSTANCE_CANCELLED", "INSTANCE_STARTED"]),
                (["--until", started["at"]], []),
                (["--kind", "INSTANCE_CANCELLED,INSTANCE_RETRIED"], ["INSTANCE_CANCELLED"]),
                (["--limit", "1"], ["INSTANCE_CANCELLED"])]:
            with self.subTest(" ".join(options)):
                entries = self.items("audit", "--instance", instance, *options)
                self.assertEqual([each["kind"] for each in entries], expected)
        table = self.millrace("audit").stdout
        self.assertRegex(table, rf"INSTANCE_STARTED +ops +{instance} ")
        self.assertNotIn("geheim", table)
        self.assertIn("KEY_REVOKED", self.millrace("audit", "--kind", "NONSENSE", expect=2).stderr)


class TlsTest(AccessTestCase):
    def test_a_server_is_trusted_by_its_certificate(self):
        certificate = Certificate()
        self.addCleanup(certificate.remove)
        self.serve_with_keys("--tls-certificate", str(certificate.certificate),
                             "--tls-key", str(certificate.key))
        self.environment["MILLRACE_SERVER"] = f"https://127.0.0.1:{self.server.rest_port}"
        listed = ["instances", "list"]
        trusted = ["--ca-file", str(certificate.certificate)]
        self.assertIn("--ca-file", self.refused("untrusted", *listed, expect=3))
        self.assertEqual(self.items(*listed, *trusted), [])
        self.environment["MILLRACE_CA_FILE"] = str(certificate.certificate)
        self.assertEqual(self.items(*listed), [])
        self.assertEqual(
            self.millrace_json("bench", "--instances", "20")["instances"], 20)
        self.millrace("backup", "--to", "sealed.db")
        self.environment["MILLRACE_SERVER"] = f"http://127.0.0.1:{self.server.rest_port}"
        self.assertIn("This port speaks HTTPS only, but the request is HTTP. (http-400)",
                      self.millrace("instances", "list", expect=1).stderr)


class BackupTest(AccessTestCase):
    def test_a_running_server_is_copied_and_the_copy_served(self):
        self.serve_with_keys()
        self.apply(one_task("copied"))
        before = self.start("copied", "--var", "text=kept")
        report = self.millrace_json("backup", "--to", "copy.db")
        self.assertEqual(report["bytes"], (self.directory / "copy.db").stat().st_size)
        after = self.start("copied")
        self.assertIn("--force", self.millrace("backup", "--to", "copy.db", expect=1).stderr)
        [taken] = self.items("audit", "--kind", "BACKUP_TAKEN")
        self.assertEqual(taken["actor"]["name"], "ops")
        self.assertEqual(self.server.stop(), 0)

        store = self.new_store()
        self.millrace("restore", "--from", "copy.db", "--data-dir", str(store.path.parent))
        self.server = self.new_server(store, "--auth", "keys")
        self.assertEqual(self.get(before)["variables"], {"text": "kept"})
        self.refused("not-found", "instances", "get", after)
        self.assertEqual(len(self.ids("jobs", "list", "--instance", before)), 1)

    def test_only_an_admin_gets_a_copy(self):
        self.serve_with_keys()
        made = self.millrace_json("keys", "create", "op", "--role", "operator")
        self.environment["MILLRACE_API_KEY"] = made["key"]
        self.refused("forbidden", "backup", "--to", "copy.db")
        self.assertEqual([each.name for each in self.directory.iterdir()], [])


if __name__ == "__main__":
    CliTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
