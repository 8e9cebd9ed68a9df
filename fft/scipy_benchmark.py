#!/usr/bin/python3
"""Prints the transforms of fft_benchmark beside SciPy's and NumPy's in one table, all on one core.

Builds nothing: bazel build //fft:fft_benchmark first. Each takes the least CPU time of many short runs, and they take
turns, so that a neighbour on the machine slows all. Usage: fft/scipy_benchmark.py [rounds]
"""
import os
import sys

import numpy
import scipy
import scipy.fft

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "tools"))
from benchmark_times import google_benchmark_times, least_time  # noqa: E402

BENCHMARK = os.path.join(ROOT, "bazel-bin", "fft", "fft_benchmark")


def ours():
    """Seconds by name."""
    return google_benchmark_times(BENCHMARK, ["--benchmark_min_time=0.03"], lambda run: run["run_name"])


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
            row[1] = min(row[1], least_time(in_scipy, 0.1))
            row[2] = min(row[2], least_time(in_numpy, 0.1)) if in_numpy else 1e9
    print("| transform | here | SciPy %s | NumPy %s |\n|---|---|---|---|" % (scipy.__version__, numpy.__version__))
    text = lambda seconds: "" if seconds > 1e8 else "%.3g ms" % (seconds * 1e3) if seconds > 1e-3 else \
        "%.3g µs" % (seconds * 1e6)
    for name, row in best.items():
        print("| %s | %s |" % (theirs(name)[0], " | ".join(map(text, row))))


if __name__ == "__main__":
    main()
