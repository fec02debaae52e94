"""HTTP itself: paths, methods, headers, origins, limits."""

import json
import re
import socket

from client import PATIENCE_SECONDS
from contract_case import ContractTestCase
from definitions import one_task

BODY_BYTES_MAX = 16 << 20


class TransportTest(ContractTestCase):
    def raw(self, *parts):
        """Sends bytes, and reads until the server closes: the requests ask it to."""
        with socket.create_connection(
                ("127.0.0.1", self.server.rest_port), PATIENCE_SECONDS) as connection:
            for part in parts:
                connection.sendall(part)
            received = b""
            while chunk := connection.recv(1 << 16):
                received += chunk
        return received.decode()

    def request(self, method, path, body=b"", *headers, connection="close"):
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Connection: {connection}",
                 f"Content-Length: {len(body)}", *headers]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + body

    def test_unknown_paths_are_404_in_json(self):
        for path in ("/v1", "/v2/instances", "/v1/instances/", "/healthz/", "/v1/jobs/",
                     "/v1/user-tasks/x/nothing"):
            with self.subTest(path):
                reply = self.get(path, 404)
                self.assertEqual(reply.headers["Content-Type"], "application/json")
                self.assertEqual(reply.json()["error"], "not-found")

    def test_the_root_says_what_this_is(self):
        for accept in ("application/json", "text/html"):
            reply = self.expect(200, "GET", "/", None, {"Accept": accept})
            self.assertEqual(reply.headers["Content-Type"], "application/json")
            self.assertEqual(reply.json()["name"], "Millrace")
            self.get(reply.json()["links"]["openapi"])

    def test_wrong_methods_are_405_with_the_right_ones(self):
        cases = [("PUT", "/v1/definitions", {"GET", "POST"}),
                 ("DELETE", "/v1/instances/x", {"GET"}),
                 ("GET", "/v1/jobs/poll", {"POST"}), ("HEAD", "/v1/instances", {"GET", "POST"}),
                 ("OPTIONS", "/healthz", {"GET"}), ("GET", "/v1/instances/x/cancel", {"POST"})]
        for method, path, allowed in cases:
            with self.subTest(f"{method} {path}"):
                reply = self.expect(405, method, path)
                self.assertEqual(set(reply.headers.get_all("Allow")), allowed)
                if method != "HEAD":
                    self.assertEqual(reply.json()["error"], "method-not-allowed")

    def test_health_needs_nothing_and_readiness_says_what_is_missing(self):
        self.assertEqual(self.get("/healthz").body, b"")
        self.assertEqual(self.get("/readyz").json(), {"ready": True, "reasons": []})

    def test_json_is_compact_ends_with_a_line_end_and_escapes_markup(self):
        self.upload(one_task("escaped"))
        reply = self.post("/v1/instances", {
            "definitionId": "escaped", "variables": {"html": "<a href='x'>&</a>"}}, 201)
        self.assertEqual(reply.headers["Content-Type"], "application/json")
        self.assertIn(rb"\u003ca href='x'\u003e\u0026\u003c/a\u003e", reply.body)
        self.assertTrue(reply.body.endswith(b"}\n"))
        self.assertNotIn(b'": ', reply.body)

    def test_a_204_has_neither_body_nor_type(self):
        self.upload(one_task("no_content"))
        self.start("no_content")
        reply = self.complete_job(self.claim("no_content")["id"])
        self.assertEqual(reply.body, b"")
        self.assertIsNone(reply.headers["Content-Type"])

    def test_an_offer_of_http_2_is_ignored(self):
        self.upload(one_task("h2c"))
        body = json.dumps({"definitionId": "h2c"}).encode()
        upgrade = ["Upgrade: h2c", "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA"]
        first = self.request("POST", "/v1/instances", body, *upgrade,
                             connection="Upgrade, HTTP2-Settings")
        second = self.request("GET", "/healthz")
        replies = self.raw(first, second)
        self.assertTrue(replies.startswith("HTTP/1.1 201 "), replies)
        self.assertEqual(replies.count("HTTP/1.1 200 "), 1, "The connection goes on.")

    def test_pipelined_requests_are_answered_in_order(self):
        replies = self.raw(
            self.request("GET", "/healthz", connection="keep-alive") +
            self.request("GET", "/nowhere", connection="keep-alive") +
            self.request("GET", "/readyz"))
        statuses = re.findall(r"HTTP/1.1 (\d+) ", replies)
        self.assertEqual(statuses, ["200", "404", "200"])

    def test_a_chunked_body_is_read(self):
        self.upload(one_task("chunked"))
        body = b'{"definitionId":"chunked"}'
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:7], body[7:]))
        head = ("POST /v1/instances HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                "Transfer-Encoding: chunked\r\n\r\n").encode()
        self.assertTrue(self.raw(head, chunks, b"0\r\n\r\n").startswith("HTTP/1.1 201 "))

    def test_a_client_that_asks_first_may_go_on(self):
        self.upload(one_task("expects"))
        body = b'{"definitionId":"expects"}'
        replies = self.raw(self.request("POST", "/v1/instances", body, "Expect: 100-continue"))
        self.assertIn("HTTP/1.1 201 ", replies)

    def test_what_is_no_http_gets_400(self):
        self.assertTrue(self.raw(b"GEHEIM\r\n\r\n").startswith("HTTP/1.1 400 "))

    def test_a_body_beyond_the_limit_is_413(self):
        head = self.request("POST", "/v1/instances").replace(
            b"Content-Length: 0", b"Content-Length: %d" % (BODY_BYTES_MAX + 1))
        reply = self.raw(head)
        self.assertTrue(reply.startswith("HTTP/1.1 413 "), reply)
        self.check_error(json.loads(reply.partition("\r\n\r\n")[2]), "too-large", ".")

    def test_a_client_that_sends_all_of_a_large_body_reads_why_it_was_refused(self):
        reply = self.client.call("POST", "/v1/instances", b" " * (4 * BODY_BYTES_MAX))
        self.assertEqual(reply.status, 413, reply.text[:200])
        self.check_error(reply.json(), "too-large", ".")

    def test_pages_of_this_machine_may_ask(self):
        preflight = {"Origin": "http://localhost:5173", "Access-Control-Request-Method": "POST",
                     "Access-Control-Request-Headers": "content-type"}
        reply = self.expect(200, "OPTIONS", "/v1/definitions", headers=preflight)
        self.assertEqual(reply.headers["Access-Control-Allow-Origin"], "http://localhost:5173")
        for method in ("GET", "POST", "OPTIONS"):
            self.assertIn(method, reply.headers["Access-Control-Allow-Methods"])
        for header in ("Accept", "Authorization", "Content-Type"):
            self.assertIn(header, reply.headers["Access-Control-Allow-Headers"])
        self.assertEqual(reply.headers["Access-Control-Max-Age"], "300")

        simple = self.expect(200, "GET", "/v1/definitions", headers={"Origin": "http://[::1]:3000"})
        self.assertEqual(simple.headers["Access-Control-Allow-Origin"], "http://[::1]:3000")
        for reply in (simple, self.get("/healthz")):
            self.assertEqual(reply.headers["Vary"], "Origin")

    def test_pages_of_other_machines_may_not(self):
        for origin in ("https://example.com", "http://127.0.0.1.example.com", "null"):
            with self.subTest(origin):
                reply = self.expect(403, "GET", "/v1/definitions", headers={"Origin": origin})
                self.check_error(reply.json(), "forbidden", "Origin")
                self.assertIsNone(reply.headers["Access-Control-Allow-Origin"])

    def test_names_of_other_machines_are_refused(self):
        for host in ("example.com", "example.com:8080", "127.0.0.1.example.com"):
            with self.subTest(host):
                self.expect_error(403, "forbidden", "Host", "GET", "/v1/definitions",
                                  headers={"Host": host})
        for host in ("localhost:1", "127.0.0.1", "[::1]:8080"):
            self.expect(200, "GET", "/healthz", headers={"Host": host})

    def test_a_request_id_is_echoed_or_made(self):
        reply = self.expect(404, "GET", "/v1/instances/x", headers={"X-Request-Id": "mine-1"})
        self.assertEqual(reply.headers["X-Request-Id"], "mine-1")
        self.assertEqual(reply.json()["requestId"], "mine-1")
        self.assertRegex(self.get("/healthz").headers["X-Request-Id"], r"^\w+$")

    def test_a_traceparent_is_no_obstacle(self):
        self.expect(200, "GET", "/healthz", headers={
            "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"})
