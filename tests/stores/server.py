"""Moto's S3 server, on a free port of this machine, in an environment of its own in `target/moto`.

As a command it only makes the environment, so that several tests can start servers at the same time.
"""

import pathlib
import socket
import subprocess
import sys
import time
import urllib.request
import venv

root = pathlib.Path(__file__).resolve().parents[2]
environment = root / "target" / "moto"


def install():
    """Creates the environment, unless it exists."""
    if not (environment / "bin" / "moto_server").exists():
        venv.create(environment, with_pip=True)
        python = environment / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", "moto[server]==5.*"], check=True)


def start():
    """Starts the server. Returns its process and its port."""
    install()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log_path = environment / f"server-{port}.log"
    with open(log_path, "w") as log:
        command = [environment / "bin" / "moto_server", "-H", "127.0.0.1", "-p", str(port)]
        server = subprocess.Popen(command, stdout=log, stderr=log)
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}").close()
            return server, port
        except OSError:
            if server.poll() is not None:
                sys.exit(f"the server did not start: see {log_path}")
            time.sleep(0.1)
    server.terminate()
    sys.exit("the server did not answer for a minute")


if __name__ == "__main__":
    install()
