"""A client of server-sent events."""

import http.client
import json
import threading

from client import PATIENCE_SECONDS


class EventStream:
    """Reads events in a thread of its own, until the server ends the stream."""

    def __init__(self, port, path, headers=None):
        self.events = []
        self.has_ended = False
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        self._connection.request("GET", path, headers=headers or {})
        self.response = self._connection.getresponse()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        event = {}
        for line in self.response:
            name, _, value = line.decode().rstrip("\r\n").partition(": ")
            if name in ("id", "event", "data"):
                event[name] = value
            elif not name and "data" in event:
                self.events.append(event)
                event = {}
        self.has_ended = True

    def data(self, kind):
        return [json.loads(each["data"]) for each in self.events if each["event"] == kind]

    def close(self):
        self._connection.close()
