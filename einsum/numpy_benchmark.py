#!/usr/bin/python3
"""Prints the contractions of einsum_benchmark beside NumPy's in one table, all on one core.

Builds nothing: bazel build //einsum:einsum_benchmark first. Each side takes the least CPU time of many short runs, and
the two take turns, so that a neighbour on the machine slows both. NumPy's arrays are row-major, its own order; its best
of einsum along a found path, matmul and tensordot counts. Usage: einsum/numpy_benchmark.py [filter] [rounds]
"""
import os
import sys

for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "tools"))
from benchmark_times import google_benchmark_times, least_time  # noqa: E402

BENCHMARK = os.path.join(ROOT, "bazel-bin", "einsum", "einsum_benchmark")


def ours(pattern):
    """Seconds by name and label."""
    return google_benchmark_times(BENCHMARK, ["--benchmark_filter=Contract/.*" + pattern, "--benchmark_min_time=0.02"],
                                  lambda run: (run["run_name"].split("/")[1], run["label"]))


def ways(subscripts, operands):
    """Functions that compute the contraction in NumPy."""
    path = numpy.einsum_path(subscripts, *operands, optimize=("optimal" if len(operands) < 7 else "greedy", 1 << 40))[0]
    result = [lambda: numpy.einsum(subscripts, *operands, optimize=path), lambda: numpy.einsum(subscripts, *operands)]
    if len(operands) > 2:
        result.pop()
    special = {
        "bij,bjk->bik": lambda a, b: a @ b,
        "bij,bj->bi": lambda a, x: (a @ x[:, :, None])[:, :, 0],
        "bij,bjk,bkl->bil": lambda a, b, c: a @ b @ c,
        "bhqd,bhkd->bhqk": lambda a, b: a @ b.transpose(0, 1, 3, 2),
        "ij,j->i": lambda a, x: a @ x,
        "ij,i->j": lambda a, x: x @ a,
        "i,i->": lambda a, b: a @ b,
        "i,j->ij": numpy.outer,
        "ij,ij->": lambda a, b: a.ravel() @ b.ravel(),
        "ij,ij->ij": lambda a, b: a * b,
        "ij,j->ij": lambda a, b: a * b,
        "ki,kj->ij": lambda a, b: a.T @ b,
        "ik,kj->ij": lambda a, b: a @ b,
        "ki,ij->kj": lambda a, b: a @ b,
        "ia,ja->ij": lambda a, b: a @ b.T,
        "ijk,klm->ijlm": lambda a, b: numpy.tensordot(a, b, 1),
        "aibj,bkal->jlik": lambda a, b: numpy.ascontiguousarray(numpy.tensordot(a, b, ((0, 2), (2, 0)))
                                                                .transpose(1, 3, 0, 2)),
        "ii->": numpy.trace,
        "ijk->ik": lambda a: a.sum(1),
        "abcd->dbca": lambda a: numpy.ascontiguousarray(a.transpose(3, 1, 2, 0)),
        "iij->ij": lambda a: numpy.ascontiguousarray(numpy.einsum("iij->ij", a)),
    }.get(subscripts)
    if special:
        result.append(lambda: special(*operands))
    if subscripts in ("iij->ij", "abcd->dbca"):
        result = result[-1:]  # the others return views
    return result


def main():
    pattern = sys.argv[1] if len(sys.argv) > 1 else ""
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    best = {}
    theirs = {}
    for _ in range(rounds):
        for key, seconds in ours(pattern).items():
            best[key] = min(best.get(key, 1e9), seconds)
        for key in best:
            subscripts, *shapes = key[1].split(" ")
            operands = [numpy.random.rand(*map(int, shape.split("x"))) for shape in shapes]
            for way in ways(subscripts, operands):
                theirs[key] = min(theirs.get(key, 1e9), least_time(way, 0.05))
    print("| contraction | extents | here | NumPy %s | ratio |\n|---|---|---|---|---|" % numpy.__version__)
    for key, seconds in best.items():
        subscripts, *shapes = key[1].split(" ")
        if len(set(shapes)) == 1 and len(shapes) > 1:
            shapes = shapes[:1]
        print("| `%s` | %s | %.4g µs | %.4g µs | %.2f |" %
              (subscripts, ", ".join(shapes).replace("x", "·"), seconds * 1e6, theirs[key] * 1e6,
               seconds / theirs[key]), flush=True)


if __name__ == "__main__":
    main()
