#!/usr/bin/python3
"""Prints the transforms of fft_benchmark beside SciPy's and NumPy's in one table, all on one core.

Builds nothing: bazel build //fft:fft_benchmark first. Each takes the least CPU time of many short runs, and they take
turns, so that a neighbour on the machine slows all. Usage: fft/scipy_benchmark.py [rounds]
"""
import json
import os
import subprocess
import sys
import time

import numpy
import scipy
import scipy.fft

BENCHMARK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bazel-bin", "fft", "fft_benchmark")


def ours():
    """Seconds by name."""
    text = subprocess.run([BENCHMARK, "--benchmark_format=json", "--benchmark_min_time=0.03",
                           "--benchmark_repetitions=5"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    times = {}
    for run in json.loads(text)["benchmarks"]:
        if run["run_type"] == "iteration":
            times[run["run_name"]] = min(times.get(run["run_name"], 1e9), run["cpu_time"] * 1e-9)
    return times


def least_time(function, seconds=0.1):
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


def theirs(name):
    """What the row is called, and functions of SciPy and NumPy for it."""
    kind, _, n = name.partition("/n:")
    if kind == "BM_Square":
        z = numpy.random.rand(512, 512) + 1j * numpy.random.rand(512, 512)
        return "512 × 512, c128", lambda: scipy.fft.fft2(z), lambda: numpy.fft.fft2(z)
    n = int(n)
    x = numpy.random.rand(n)
    z = x + 1j * numpy.random.rand(n)
    half = scipy.fft.rfft(x)
    return {
        "BM_Line<C>": ("c128, %d" % n, lambda: scipy.fft.fft(z), lambda: numpy.fft.fft(z)),
        "BM_Line<std::complex<float>>": ("c64, %d" % n, lambda z=z.astype("c8"): scipy.fft.fft(z), None),
        "BM_RealToHalf": ("real, f64, %d" % n, lambda: scipy.fft.rfft(x), lambda: numpy.fft.rfft(x)),
        "BM_HalfToReal": ("to real, f64, %d" % n, lambda: scipy.fft.irfft(half), lambda: numpy.fft.irfft(half)),
        "BM_Cosine": ("cosine, type 2, f64, %d" % n, lambda: scipy.fft.dct(x), None),
        "BM_CosineBack": ("cosine, type 3, f64, %d" % n, lambda: scipy.fft.dct(x, 3), None),
    }[kind]


def main():
    best = {}
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 3):
        for name, seconds in ours().items():
            _, in_scipy, in_numpy = theirs(name)
            row = best.setdefault(name, [1e9, 1e9, 1e9])
            row[0] = min(row[0], seconds)
            row[1] = min(row[1], least_time(in_scipy))
            row[2] = min(row[2], least_time(in_numpy)) if in_numpy else 1e9
    print("| transform | here | SciPy %s | NumPy %s |\n|---|---|---|---|" % (scipy.__version__, numpy.__version__))
    text = lambda seconds: "" if seconds > 1e8 else "%.3g ms" % (seconds * 1e3) if seconds > 1e-3 else \
        "%.3g µs" % (seconds * 1e6)
    for name, row in best.items():
        print("| %s | %s |" % (theirs(name)[0], " | ".join(map(text, row))))


if __name__ == "__main__":
    main()
