#!/usr/bin/env python3
"""Lets the disk of the embedded store run full, and frees it again, and kills the server meanwhile.

Usage: disk_full_test.py PROGRAM PRELOAD [unittest arguments]
PRELOAD is the library of tests/support/full_disk.c. A real small disk is used too, where the
machine lets us mount one.

Goal: callers are told, nothing acknowledged is lost, the file stays sound, and work goes on by
itself when there is room again.
"""

import os
import sys
import threading
import unittest

import definitions
from client import Lost
from disks import PretendedDisk, SmallDisk
from server import ServerTestCase, wait_until

PRELOAD = ""
LARGE = "x" * 100_000
TRIES_MAX = 500


class Store:
    """A database on a disk."""

    def __init__(self, disk):
        self.url = f"sqlite:{disk.folder}/data/millrace.db"
        self.environment = disk.environment


class DiskFullScenario:
    def setUp(self):
        self.disk = self.new_disk()
        self.addCleanup(self.disk.remove)
        self.server = self.new_server(Store(self.disk))
        self.acknowledged = []
        self.client = self.server.client()
        definition = definitions.one_task("one_task")
        self.assertEqual(self.client.post("/v1/definitions", definition).status, 201)

    def start_instance(self, client=None, value="small"):
        body = {"definitionId": "one_task", "variables": {"value": value}}
        reply = (client or self.client).post("/v1/instances", body)
        if reply.status == 201:
            self.acknowledged.append(reply.json()["id"])
        return reply

    def start_until_full(self):
        """There may be room in what the store has already; then there is not."""
        for _ in range(TRIES_MAX):
            reply = self.start_instance(value=LARGE)
            if reply.status != 201:
                return reply
        raise AssertionError("The disk does not run full.")

    def assert_all_are_there(self):
        client = self.server.client()
        for instance in self.acknowledged:
            self.assertEqual(client.get(f"/v1/instances/{instance}").status, 200)

    def test_callers_are_told_and_work_goes_on_when_there_is_room_again(self):
        self.assertEqual(self.start_instance().status, 201)
        for _ in range(2):
            self.disk.fill()
            reply = self.start_until_full()
            self.assertEqual(reply.status, 503)
            self.assertEqual(reply.json()["error"], "unavailable")
            self.assertIn("disk of the store is full", reply.json()["message"])
            self.assert_all_are_there()
            self.disk.free()
            wait_until(lambda: self.start_instance().status == 201, "room to be noticed")
            self.assert_all_are_there()
        wait_until(lambda: self.client.get("/readyz").status == 200, "all loops to notice it")
        self.assertEqual(self.server.stop(), 0)

    def test_a_kill_while_the_disk_is_full_loses_nothing(self):
        for _ in range(3):
            self.disk.fill()
            self.start_until_full()
            hopeless = threading.Thread(target=self.start_and_lose, args=[self.server.client()])
            hopeless.start()
            self.server.kill()
            hopeless.join()
            self.disk.free()
            self.server.start()
            self.assertIn("The database is sound.", self.server.log_messages())
            self.client = self.server.client()
            self.assert_all_are_there()
            self.assertEqual(self.start_instance().status, 201)

    def start_and_lose(self, client):
        try:
            self.start_instance(client, LARGE)
        except Lost:
            pass


class PretendedDiskTest(DiskFullScenario, ServerTestCase):
    @staticmethod
    def new_disk():
        return PretendedDisk(PRELOAD)


class SmallDiskTest(DiskFullScenario, ServerTestCase):
    @staticmethod
    def new_disk():
        return SmallDisk(megabytes=16)


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    PRELOAD = os.path.abspath(sys.argv.pop(1))
    unittest.main()
