"""A proxy before a PostgreSQL that cuts connections exactly at a COMMIT."""

import asyncio
import collections
import enum
import struct
import threading

CHUNK_BYTES = 1 << 16
# A first packet has no letter, and these two are answered with one byte and followed by another.
ENCRYPTION_REQUESTS = {80877103, 80877104}
COMMIT = b"\0COMMIT\0"  # The body of a Parse without name begins so.
# The answer to a COMMIT ends so: its letter, its length, and that no transaction is open.
READY = b"Z\0\0\0\x05I"
# So long a server takes to find out that its client has vanished: configure_transaction.sql.
VANISHED_SECONDS = 15
# Of what a transaction that is worth a cut has sent before: it wrote a batch, or claimed jobs.
WRITES = (b"commit_mark", b"claim_jobs")


class Cut(enum.Enum):
    """Where a connection ends."""

    BEFORE_COMMIT = "before the COMMIT reaches the server"
    BEFORE_COMMIT_HALF_OPEN = "the same, but the server sees no end and waits for its client"
    AFTER_SENDING = "the server gets the COMMIT; only the client sees the end"
    BEFORE_REPLY = "the server has committed, and its answer is lost"


class Frames:
    """Takes what a client sends apart into whole messages."""

    def __init__(self):
        self._buffer = b""
        self._is_started = False

    def feed(self, received):
        self._buffer += received
        messages = []
        while message := self._next():
            messages.append(message)
        return messages

    def _next(self):
        header = 1 if self._is_started else 0
        if len(self._buffer) < header + 4:
            return b""
        size = header + struct.unpack_from("!I", self._buffer, header)[0]
        if len(self._buffer) < size:
            return b""
        message, self._buffer = self._buffer[:size], self._buffer[size:]
        if not self._is_started:
            self._is_started = struct.unpack_from("!I", message, 4)[0] not in ENCRYPTION_REQUESTS
        return message


class Link:
    """One connection of a client, and ours to the server for it."""

    def __init__(self, proxy, client, server):
        self._proxy = proxy
        self._from_client, self._to_client = client
        self._from_server, self._to_server = server
        self._frames = Frames()
        self._is_writing = False

    async def run(self):
        answers = asyncio.create_task(self._pass_answers())
        try:
            await self._pass_requests(answers)
        finally:
            answers.cancel()

    async def _pass_answers(self):
        try:
            while received := await self._from_server.read(CHUNK_BYTES):
                self._to_client.write(received)
                await self._to_client.drain()
        except ConnectionError:
            pass  # A server that dies resets its connections.
        self._to_client.close()

    async def _pass_requests(self, answers):
        while received := await self._from_client.read(CHUNK_BYTES):
            messages = self._frames.feed(received)
            at, cut = self._find_cut(messages)
            if cut is None:
                await self._send(messages)
                continue
            answers.cancel()
            await asyncio.wait([answers])
            await self._cut_or_return(cut, messages[:at], messages[at:])
            return
        self._to_server.close()

    async def _send(self, messages):
        self._to_server.write(b"".join(messages))
        await self._to_server.drain()

    def _find_cut(self, messages):
        for at, message in enumerate(messages):
            if message[:1] == b"P" and message[5:].startswith(COMMIT):
                cut = self._proxy.take_cut() if self._is_writing else None
                self._is_writing = False
                if cut:
                    return at, cut
            elif any(each in message for each in WRITES):
                self._is_writing = True
        return None, None

    async def _cut_or_return(self, cut, before, rest):
        """A session that was already dying is none to cut: the cut is for the next one then."""
        try:
            await self._cut(cut, before, rest)
        except (EOFError, OSError):
            self._proxy.give_back(cut)
            raise

    async def _cut(self, cut, before, rest):
        if self._from_server.at_eof():
            raise EOFError
        await self._send(before)
        if cut in (Cut.AFTER_SENDING, Cut.BEFORE_REPLY):
            await self._send_up_to_sync(rest)
        if cut is Cut.BEFORE_REPLY:
            await self._await_answer()
        self._to_client.close()
        if cut in (Cut.BEFORE_COMMIT, Cut.BEFORE_REPLY):
            self._to_server.close()
        else:
            self._proxy.keep_open(self._to_server)
        self._proxy.count(cut)

    async def _send_up_to_sync(self, messages):
        while True:
            await self._send(messages)
            if any(each[:1] == b"S" for each in messages):
                return
            messages = self._frames.feed(await read_some(self._from_client))

    async def _await_answer(self):
        tail = b""
        while not tail.endswith(READY):
            tail = (tail + await read_some(self._from_server))[-len(READY):]


async def read_some(stream):
    received = await stream.read(CHUNK_BYTES)
    if not received:
        raise EOFError
    return received


class CuttingProxy:
    """Listens on `port` of 127.0.0.1. `folder` has the server's socket."""

    def __init__(self, folder):
        self.port = 0
        self.cuts = collections.Counter()
        self._path = f"{folder}/.s.PGSQL.5432"
        self._armed = None
        self._is_awaited = False
        self._cut_done = threading.Event()
        self._half_open = []
        self._loop = asyncio.new_event_loop()
        self._is_listening = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._is_listening.wait()

    def cut_next(self, cut, timeout):
        """Cuts the next COMMIT of something that was written. False when none came."""
        self._cut_done.clear()
        self._is_awaited = True
        self._armed = cut
        is_done = self._cut_done.wait(timeout)
        self._is_awaited = False
        self._armed = None
        return is_done

    def stop(self):
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def take_cut(self):
        cut, self._armed = self._armed, None
        return cut

    def give_back(self, cut):
        if self._is_awaited:
            self._armed = cut

    def keep_open(self, writer):
        self._half_open.append(writer)
        self._loop.call_later(VANISHED_SECONDS, writer.close)

    def count(self, cut):
        self.cuts[cut] += 1
        self._cut_done.set()

    def _run(self):
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._is_listening.set()
        self._loop.run_forever()
        server.close()
        for writer in self._half_open:
            writer.close()
        links = asyncio.all_tasks(self._loop)
        for task in links:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*links, return_exceptions=True))
        self._loop.close()

    async def _serve(self, *client):
        try:
            server = await asyncio.open_unix_connection(self._path)
            await Link(self, client, server).run()
        except (EOFError, OSError):
            pass  # One of the two is gone, and the other one learns it below.
        except asyncio.CancelledError:
            pass  # We are stopping.
        finally:
            client[1].close()
