"""Runs the tests that need an object store against moto's S3 server, on a free port of this machine.

Usage: cloud.py [ARGUMENTS OF cargo test ...]

After all of them it runs tests/stores/planted_secrets.py, recipes.py, latency.py, upload_memory.py and odd_stores.py.

The feature `cloud` gives crates that arrow is built on other features, so that next to nothing of a
release build could be used again: the tests are built without optimisation, which takes a fraction
of the time.
"""

import os
import pathlib
import subprocess
import sys

from server import root, start

server, port = start()
endpoint = f"http://127.0.0.1:{port}"
try:
    variables = {
        "S3_TEST_ENDPOINT": endpoint,
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
    }
    cargo = os.environ.get("CARGO_COMMAND", "cargo").split()
    variables |= {"CARGO_PROFILE_DEV_DEBUG": os.environ.get("CARGO_PROFILE_DEV_DEBUG", "0")}
    command = [*cargo, "test", "--locked", "-p", "sudoku-pipeline", "--features", "cloud"]
    tests = sys.argv[1:] or ["--lib", "--test", "it", "--", "cloud", "store"]
    code = subprocess.run(command + tests, cwd=root, env=os.environ | variables).returncode
    if code == 0 and not sys.argv[1:]:
        # The tests have also built the binary.
        target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", root / "target"))
        binary = target / "debug" / "pipeline"
        for script in ("planted_secrets", "recipes", "latency", "upload_memory", "odd_stores"):
            arguments = [binary] if script == "planted_secrets" else [binary, endpoint]
            script = root / "tests" / "stores" / f"{script}.py"
            code |= subprocess.run([sys.executable, script, *arguments]).returncode
    sys.exit(code)
finally:
    server.terminate()
    server.wait()
