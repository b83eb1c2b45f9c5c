"""A proxy in front of an object store that breaks a single request, or all requests from one on."""

import http.client
import socket
import struct
import threading

# The kinds of faults, and their effects on a request:
FAULTS = {
    "500": "answered with 500, without effect",
    "503": "answered with 503, without effect",
    "429": "answered with 429, without effect",
    "403": "answered with 403, without effect",
    "404": "answered with 404, without effect",
    "reset": "the connection is reset before it has an effect",
    "reset-after": "it has its effect, and the connection is reset",
    "500-after": "it has its effect, and is answered with 500",
    "cut": "the connection is reset in the middle of the answer's body",
    "empty": "the answer has no bytes",
    "short": "the answer is shorter than it should be, and says so",
    "garbage": "the answer's body is of the right length, and other bytes",
    "etag": "the answer names another version",
    "error-200": "it has no effect, and the answer is 200 with the text of an error",
}
# The same kinds as outages without an end.
FAULTS |= {f"{fault}+": f"{FAULTS[fault]}, as all from then on" for fault in ("500", "403", "reset", "500-after")}

ERROR = (
    b"<?xml version='1.0' encoding='UTF-8'?><Error><Code>%s</Code><Message>broken by the test</Message>"
    b"<RequestId>1</RequestId></Error>"
)
CODES = {"500": b"InternalError", "503": b"SlowDown", "429": b"TooManyRequests", "403": b"AccessDenied", "404": b"NoSuchKey"}


class Proxy:
    """Forwards requests to a server on this machine. `port` is the port of the proxy."""

    def __init__(self, upstream):
        self.upstream = upstream
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.begin(None, 0)
        threading.Thread(target=self._accept, daemon=True).start()

    def begin(self, fault, at, only=None):
        """Starts counting requests from 1. Request number `at` gets the fault. If `only(method, path)` is
        given, only the requests that it selects are counted."""
        with self.lock:
            self.fault, self.at, self.only = fault, at, only
            self.count, self.hits, self.log = 0, 0, []

    def _accept(self):
        while True:
            client, _ = self.listener.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        server = http.client.HTTPConnection("127.0.0.1", self.upstream, timeout=300)
        try:
            rest = b""
            while (read := self._read(client, rest)) is not None:
                head, body, rest = read
                if not self._answer(client, server, head, body):
                    return
        except OSError:
            pass
        finally:
            server.close()
            client.close()

    def _read(self, client, data):
        while b"\r\n\r\n" not in data:
            more = client.recv(65536)
            if not more:
                return None
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = [line.split(": ", 1) for line in lines[1:]]
        names = {name.lower(): value for name, value in headers}
        length = int(names.get("content-length", 0))
        body = bytearray(body)
        while len(body) < length:
            more = client.recv(1 << 20)
            if not more:
                return None
            body += more
        return (lines[0].split(" "), headers), bytes(body[:length]), bytes(body[length:])

    def _fault(self, method, path):
        with self.lock:
            if self.only and not self.only(method, path):
                return None
            self.count += 1
            self.log.append(f"{method} {path}")
            is_hit = self.fault and (
                self.count == self.at or self.fault.endswith("+") and self.count >= self.at
            )
            self.hits += bool(is_hit)
            return self.fault.rstrip("+") if is_hit else None

    def _answer(self, client, server, head, body):
        (method, path, _), headers = head
        fault = self._fault(method, path)
        if fault in CODES:
            return self._send(client, method, int(fault), [], ERROR % CODES[fault])
        if fault == "error-200":
            return self._send(client, method, 200, [], ERROR % b"InternalError")
        if fault == "reset":
            return self._reset(client)
        server.request(method, path, body, dict(headers))
        answer = server.getresponse()
        status, bytes_, given = answer.status, answer.read(), answer.getheaders()
        if fault == "reset-after":
            return self._reset(client)
        if fault == "500-after":
            return self._send(client, method, 500, [], ERROR % CODES["500"])
        dropped = ("connection", "transfer-encoding", "content-length")
        given = [(name, value) for name, value in given if name.lower() not in dropped]
        if method == "HEAD":
            given += [("Content-Length", answer.getheader("content-length", "0"))]
        if fault == "etag":
            given = [(name, '"0123"' if name.lower() == "etag" else value) for name, value in given]
        if fault == "empty":
            bytes_ = b""
        if fault == "short":
            bytes_ = bytes_[: len(bytes_) * 3 // 4]
        if fault == "garbage":
            bytes_ = b"\x00\xff" * (len(bytes_) // 2) + b"\x00" * (len(bytes_) % 2)
        if fault == "cut" and bytes_:
            self._send(client, method, status, given, bytes_[: len(bytes_) // 2], len(bytes_))
            return self._reset(client)
        return self._send(client, method, status, given, bytes_)

    def _send(self, client, method, status, headers, body, length=None):
        lines = [f"HTTP/1.1 {status} x"] + [f"{name}: {value}" for name, value in headers]
        if method != "HEAD" or not headers:
            lines.append(f"Content-Length: {len(body) if length is None else length}")
        text = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
        client.sendall(text if method == "HEAD" else text + body)
        return True

    def _reset(self, client):
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        return False
