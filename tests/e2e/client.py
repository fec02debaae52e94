"""An HTTP client for tests: keeps its connection, and tells a lost reply from an answer."""

import http.client
import json

from wire_contract import wire_contract

PATIENCE_SECONDS = 60


class Lost(Exception):
    """No whole answer came: whether the request took effect is unknown."""


class Reply:
    """An answer: status, headers as sent, and the body."""

    def __init__(self, response, body):
        self.status = response.status
        self.headers = response.headers
        self.body = body

    @property
    def text(self):
        return self.body.decode()

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body.decode(errors='replace')}"


class Client:
    """One connection to 127.0.0.1, made again when the server closed it.

    `port` is a function, because a server that was restarted listens elsewhere. Not for use by
    several threads at once. Answers are held to the contract, unless that is None. With `tls`, an
    ssl.SSLContext, it speaks https.
    """

    def __init__(self, port, timeout=PATIENCE_SECONDS, contract=wire_contract(), tls=None):
        self._port = port
        self._timeout = timeout
        self._contract = contract
        self._tls = tls
        self._connection = None

    def call(self, method, path, body=None, headers=None):
        """`body` is sent as JSON, bytes as they are. Raises Lost."""
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        try:
            if self._connection is None:
                self._connection = self._connect()
            self._connection.request(method, path, sent, headers or {})
            response = self._connection.getresponse()
            reply = Reply(response, response.read())
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Lost(f"{method} {path}: {error!r}") from error
        if response.will_close:
            self.close()
        if self._contract is not None:
            self._contract.check(method, path, sent, reply)
        return reply

    def _connect(self):
        if self._tls is None:
            return http.client.HTTPConnection("127.0.0.1", self._port(), timeout=self._timeout)
        return http.client.HTTPSConnection(
            "127.0.0.1", self._port(), timeout=self._timeout, context=self._tls)

    def get(self, path, **headers):
        return self.call("GET", path, headers=headers)

    def post(self, path, body=None, headers=None):
        return self.call("POST", path, body, headers)

    def close(self):
        if self._connection is not None:
            self._connection.close()
            self._connection = None
