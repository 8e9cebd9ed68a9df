"""How the scripts that compare with Python's libraries take times: the least of many short runs."""
import json
import subprocess
import time


def least_time(function, seconds):
    """Seconds of CPU time of a call."""
    repeats = 1
    least = 1e9
    deadline = time.process_time() + seconds
    while time.process_time() < deadline:
        begin = time.process_time()
        for _ in range(repeats):
            function()
        elapsed = time.process_time() - begin
        if elapsed < 2e-4:
            repeats *= 2
            continue
        least = min(least, elapsed / repeats)
    return least


def google_benchmark_times(program, arguments, key):
    """The least CPU seconds of each of a program's benchmarks, by key(run)."""
    text = subprocess.run([program, "--benchmark_format=json", "--benchmark_repetitions=5"] + arguments,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    times = {}
    for run in json.loads(text)["benchmarks"]:
        if run["run_type"] == "iteration":
            times[key(run)] = min(times.get(key(run), 1e9), run["cpu_time"] * 1e-9)
    return times
