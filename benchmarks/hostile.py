"""Runs every hostile ruleset in a fresh process: each must take less than a second and 200 MB.

    python benchmarks/hostile.py [NAME …]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HOSTILE = Path(__file__).parent.parent / "tests" / "hostile"
sys.path.insert(0, str(HOSTILE))

from trial import NAMES  # noqa: E402

SECONDS, MEGABYTES = 1.0, 200.0
PATIENCE = 60


def measure(name: str, cache: str) -> tuple[float, float, str]:
    """Seconds of processor time, peak megabytes, and what went wrong."""
    code = (
        "import resource, runpy, sys\n"
        f"sys.argv = ['trial', {name!r}]\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
        f"runpy.run_path({str(HOSTILE / 'trial.py')!r}, run_name='__main__')\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "most = used.ru_maxrss / (1024 if sys.platform != 'darwin' else 1 << 20)\n"
        "try:  # what a process inherits counts as its own there, so where it can be had, the true peak\n"
        "    peak = [line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM:')]\n"
        "    most = int(peak[0]) / 1024 if peak else most\n"
        "except OSError:\n"
        "    pass\n"
        "print(used.ru_utime + used.ru_stime, most)\n"
    )
    environment = {**os.environ, "ORRERY_CACHE": cache}
    start = time.perf_counter()
    try:
        run = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return time.perf_counter() - start, 0.0, "does not come to an end"
    if run.returncode:
        return time.perf_counter() - start, 0.0, run.stderr.strip().rsplit("\n", 1)[-1][:300]
    seconds, megabytes = map(float, run.stdout.split()[-2:])
    return seconds, megabytes, ""


def main(wanted: list[str]) -> int:
    failed = 0
    with tempfile.TemporaryDirectory() as cache:
        for name in wanted or NAMES:
            seconds, megabytes, wrong = measure(name, cache)
            if not wrong and (seconds > SECONDS or megabytes > MEGABYTES):
                wrong = "too much"
            failed += bool(wrong)
            print(f"{name:40} {seconds:6.2f} s {megabytes:7.1f} MB  {wrong}", flush=True)
    print(f"{len(wanted or NAMES)} hostile rulesets, {failed} failed (limits: {SECONDS} s, {MEGABYTES:.0f} MB each)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
