#!/usr/bin/env python3
"""The release is hardened: what cmake/Hardening.cmake asks for is in the program.

Usage: hardening_test.py PROGRAM [unittest arguments]
"""

import os
import subprocess
import sys
import unittest


class HardeningTest(unittest.TestCase):
    program = ""

    def readelf(self, *options):
        return subprocess.run(
            ["readelf", "--wide", *options, self.program],
            capture_output=True, text=True, check=True).stdout

    def test_its_addresses_cannot_be_guessed(self):
        self.assertIn("Type:                              DYN", self.readelf("--file-header"))
        self.assertRegex(self.readelf("--dynamic"), r"FLAGS_1.*\bPIE\b")

    def test_its_tables_of_functions_are_written_once(self):
        segments = self.readelf("--segments")
        self.assertIn("GNU_RELRO", segments)
        self.assertRegex(self.readelf("--dynamic"), r"FLAGS_1.*\bNOW\b")

    def test_its_stack_is_guarded_and_holds_no_code(self):
        self.assertRegex(self.readelf("--segments"), r"GNU_STACK.* RW +0x")
        self.assertIn("__stack_chk_fail", self.readelf("--dyn-syms"))

    def test_its_calls_of_the_c_library_are_checked(self):
        self.assertRegex(self.readelf("--dyn-syms"), r"__(memcpy|read|snprintf|poll|recv)_chk")

    def test_it_says_that_it_can_have_a_shadow_stack(self):
        if os.uname().machine != "x86_64":
            self.skipTest("Only there.")
        self.assertRegex(self.readelf("--notes"), r"x86 feature:.*\bSHSTK\b")

    def test_its_functions_may_be_marked_as_targets_of_calls(self):
        if os.uname().machine != "x86_64":
            self.skipTest("Only there.")
        code = subprocess.run(
            ["objdump", "--disassemble=main", "--no-show-raw-insn", self.program],
            capture_output=True, text=True, check=True).stdout
        self.assertIn("endbr64", code)


if __name__ == "__main__":
    HardeningTest.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
