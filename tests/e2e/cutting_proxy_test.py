#!/usr/bin/env python3
"""The proxy that cuts at a COMMIT: a session that dies by itself must not use up the cut."""

import socket
import struct
import sys
import tempfile
import threading
import unittest

from cutting_proxy import READY, Cut, CuttingProxy

PATIENCE_SECONDS = 20
START = struct.pack("!II", 8, 196608)


def message(letter, body):
    return letter + struct.pack("!I", len(body) + 4) + body


BATCH = message(b"P", b"\0INSERT INTO commit_mark\0\0\0")
COMMIT = message(b"P", b"\0COMMIT\0\0\0") + message(b"S", b"")


class ScriptedServer:
    """Answers a COMMIT as a database does, except in its first session: that one it ends instead."""

    def __init__(self, folder):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(f"{folder}/.s.PGSQL.5432")
        self._socket.listen()
        self._is_first = True
        threading.Thread(target=self._run, daemon=True).start()

    def close(self):
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _run(self):
        try:
            while True:
                session, _ = self._socket.accept()
                threading.Thread(target=self._serve, args=(session, self._is_first), daemon=True).start()
                self._is_first = False
        except OSError:
            pass  # The test is over.

    @staticmethod
    def _serve(session, dies):
        with session:
            received = b""
            while more := session.recv(1 << 16):
                received += more
                if COMMIT in received:
                    if dies:
                        return
                    session.sendall(READY)
                    received = b""


class CuttingProxyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        server = ScriptedServer(folder.name)
        self.addCleanup(server.close)
        self.proxy = CuttingProxy(folder.name)
        self.addCleanup(self.proxy.stop)

    def _commit(self):
        """False: the connection ended before an answer came."""
        with socket.create_connection(("127.0.0.1", self.proxy.port), PATIENCE_SECONDS) as client:
            client.sendall(START + BATCH + COMMIT)
            try:
                return client.recv(len(READY)) == READY
            except ConnectionError:
                return False

    def _cut_in_background(self, cut, is_done):
        def run():
            is_done.append(self.proxy.cut_next(cut, PATIENCE_SECONDS))

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    def test_a_session_that_dies_by_itself_does_not_use_up_the_cut(self):
        is_done = []
        waiting = self._cut_in_background(Cut.BEFORE_REPLY, is_done)
        answers = []
        while waiting.is_alive() and len(answers) < 100:
            answers.append(self._commit())
            waiting.join(0.01)
        waiting.join()
        self.assertEqual(is_done, [True])
        self.assertEqual(self.proxy.cuts, {Cut.BEFORE_REPLY: 1})
        # The one that died, and the one that was cut, whatever came before the cut was armed.
        self.assertGreaterEqual(answers.count(False), 2)

    def test_a_cut_that_nobody_waits_for_any_more_is_forgotten(self):
        self.assertFalse(self.proxy.cut_next(Cut.BEFORE_COMMIT, 0))
        self.proxy.give_back(Cut.BEFORE_COMMIT)
        self.assertIsNone(self.proxy.take_cut())


if __name__ == "__main__":
    sys.exit(unittest.main())
