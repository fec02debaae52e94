"""A collector of traces for tests: takes OTLP over HTTP, and reads the spans out of its protobuf."""

import http.server
import ssl
import struct
import threading

VARINT, FIXED64, BYTES = 0, 1, 2


def fields_of(message):
    """(number, value) of each field of a protobuf message, in its order."""
    at = 0

    def varint():
        nonlocal at
        number = shift = 0
        while True:
            byte = message[at]
            at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    fields = []
    while at < len(message):
        key = varint()
        if key & 7 == VARINT:
            value = varint()
        elif key & 7 == FIXED64:
            [value] = struct.unpack_from("<Q", message, at)
            at += 8
        elif key & 7 == BYTES:
            size = varint()
            value = message[at:at + size]
            if len(value) != size:
                raise ValueError("A field is longer than its message.")
            at += size
        else:
            raise ValueError(f"No field of OTLP has the wire type {key & 7}.")
        fields.append((key >> 3, value))
    return fields


def one(fields, number, default=None):
    return next((value for key, value in fields if key == number), default)


def all_of(fields, number):
    return [value for key, value in fields if key == number]


def attributes_of(messages):
    attributes = {}
    for message in messages:
        fields = fields_of(message)
        [(kind, value)] = fields_of(one(fields, 2))
        shown = {1: lambda: value.decode(), 2: lambda: bool(value),
                 3: lambda: value - (1 << 64) if value >> 63 else value}[kind]()
        attributes[one(fields, 1).decode()] = shown
    return attributes


class Span:
    """Field numbers as in opentelemetry/proto/trace/v1/trace.proto."""

    def __init__(self, message):
        fields = fields_of(message)
        self.trace_id = one(fields, 1).hex()
        self.span_id = one(fields, 2).hex()
        self.parent_id = one(fields, 4, b"").hex()
        self.name = one(fields, 5).decode()
        self.kind = one(fields, 6)
        self.started_at = one(fields, 7)
        self.ended_at = one(fields, 8)
        self.attributes = attributes_of(all_of(fields, 9))
        links = [fields_of(link) for link in all_of(fields, 13)]
        self.links = [(one(link, 1).hex(), one(link, 2).hex()) for link in links]
        self.status = one(fields_of(one(fields, 15, b"")), 3, 0)

    def __repr__(self):
        return f"{self.name} {self.trace_id}-{self.span_id} below {self.parent_id or 'none'}"


class Collector:
    """Listens on 127.0.0.1. `answers` are (status, headers) for the next requests; then 200."""

    def __init__(self, certificate=None, port=0):
        self.answers = []
        self.requests = []  # Header fields of each.
        self.bodies = []  # Of those that were taken.
        self.services = set()
        self.spans = []
        self._changed = threading.Condition()
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, headers = collector.take(self.path, self.headers, body)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        class Listener(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                """A client that is gone is no news: servers under test are killed."""

        self._server = Listener(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate.certificate, certificate.key)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
            self.url = f"https://localhost:{self.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def take(self, path, headers, body):
        with self._changed:
            self.requests.append(dict(headers.items()) | {"path": path})
            answer = self.answers.pop(0) if self.answers else (200, {})
            if answer[0] == 200:
                self.bodies.append(body)
                self._read(body)
            self._changed.notify_all()
            return answer

    def _read(self, body):
        for resource_spans in all_of(fields_of(body), 1):
            fields = fields_of(resource_spans)
            resource = attributes_of(all_of(fields_of(one(fields, 1)), 1))
            self.services.add(resource["service.name"])
            for scope_spans in all_of(fields, 2):
                self.spans += [Span(span) for span in all_of(fields_of(scope_spans), 2)]

    def wait_for(self, condition, timeout):
        """Returns what `condition(spans)` finds, as soon as that is something."""
        with self._changed:
            found = self._changed.wait_for(lambda: condition(self.spans), timeout)
            if not found:
                raise AssertionError(f"The spans are {self.spans}.")
            return found
