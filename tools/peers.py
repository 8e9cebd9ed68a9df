#!/usr/bin/env python3
"""Times what //experiments:bench times with another library: lines "name,peer,microseconds".

Usage: peers.py numpy|jax|torch [--threads=1] [--seconds=0.5] [--filter=REGEX]
The least of many runs counts; outputs that are there already are reused where the library can. A library that is not
installed is skipped with a remark on standard error. Rows with --threads=2 end in " w2". tools/peers.sh sets the
variables that make the threads' number true.
"""
import argparse
import re
import resource
import subprocess
import sys
import time

MILLION, INDICES = 1_000_000, 100_000
# Rows of two threads that the table has.
TWO_THREADS = re.compile(r"grad n=1e|trg |permute|matmul f64 (256|1024)|svd 256|eigh 256")
SPLIT_EPS = 1e-12


def inputs(np):
  rng = np.random.default_rng(0)
  normal = rng.standard_normal
  square = {n: (normal((n, n)), normal((n, n))) for n in (64, 256, 1024)}
  symmetric = square[256][0] + square[256][0].T
  return {
      "square": square,
      "symmetric": symmetric,
      "positive": symmetric + 256 * np.eye(256),
      "dominated": square[256][0] + 256 * np.eye(256),
      "rhs": {1: normal((256, 1)), 256: normal((256, 256))},
      "legs": [normal((16, 16, 16)) for _ in range(5)],
      "c4096": normal(4096) + 1j * normal(4096),
      "c1m": normal(1 << 20) + 1j * normal(1 << 20),
      "r1m": normal(1 << 20),
      "c512": normal((512, 512)) + 1j * normal((512, 512)),
      "x": normal(MILLION),
      "y": normal(MILLION),
      "positives": rng.random(MILLION) + 0.1,
      "matrix": normal((1000, 1000)),
      "block": normal((256, 256, 64)),
      "places": rng.integers(0, MILLION, INDICES),
      "updates": normal(INDICES),
  }


def points(np, n):
  return np.linspace(-2, 2, n), np.cos(np.arange(n, dtype=float))


def ranks():
  return [2, 4, 4] + [16] * 17


def trg(xp, svd, einsum, permute, beta):
  """ln Z / N of the square-lattice Ising model after 20 steps of Levin and Nave's renormalisation, PRL 99, 120601."""
  c, s = xp.sqrt(xp.cosh(beta)), xp.sqrt(xp.sinh(beta))
  w = xp.stack([xp.stack([c, s]), xp.stack([c, -s])])
  t = einsum("sa,sb,sc,sd->abcd", w, w, w, w)
  total, weight = 0.0, 1.0
  for k in ranks():
    d = t.shape[0]
    norm = xp.max(xp.abs(t))
    t = t / norm
    total, weight = total + weight * xp.log(norm), weight / 2

    def split(a):
      u, s, vh = svd(a)
      root = xp.sqrt(s[:k])
      return (u[:, :k] * root).reshape(d, d, k), (root[:, None] * vh[:k]).reshape(k, d, d)

    s1, s3 = split(t.reshape(d * d, d * d))
    s2, s4 = split(permute(t, (1, 2, 3, 0)).reshape(d * d, d * d))
    t = einsum("ibje,epbq->ijpq", einsum("icb,jec->ibje", s3, s4), einsum("aep,baq->epbq", s1, s2))
  return total + weight * xp.log(einsum("ruru->", t))


def numpy_rows(_threads):
  import numpy as np
  import scipy.fft
  import scipy.linalg
  a = inputs(np)
  rng = np.random.default_rng(1)
  out = np.empty(MILLION)
  block = a["block"]
  einsum = lambda spec, *operands: np.einsum(spec, *operands, optimize=True)
  x = points(np, 1000)[0]
  yield "value n=1000", lambda: np.sum(np.sin(x) * (x * x))
  svd = lambda m: np.linalg.svd(m, full_matrices=False)
  for beta in (0.2, 0.44):
    yield f"trg value beta={beta}", lambda b=beta: trg(np, svd, einsum, np.transpose, np.float64(b))
  yield "add 1e6", lambda: np.add(a["x"], a["y"], out=out)
  for name in ("exp", "sin", "tanh"):
    yield name + " 1e6", lambda f=getattr(np, name): f(a["x"], out=out)
  yield "log 1e6", lambda: np.log(a["positives"], out=out)
  yield "sum 1e6", lambda: np.sum(a["x"])
  line = np.empty(1000)
  # In memory the first axis is the fastest here, as in the table.
  matrix = np.asfortranarray(a["matrix"])
  for axis in (0, 1):
    yield f"sum 1000x1000 axis {axis}", lambda i=axis: np.sum(matrix, axis=i, out=line)
  same = np.empty_like(block)
  yield "memcpy 256x256x64", lambda: np.copyto(same, block)
  for name, axes in (("210", (2, 1, 0)), ("102", (1, 0, 2))):
    view = np.asfortranarray(block).transpose(axes)
    moved = np.empty(view.shape, order="F")
    yield "permute 256x256x64 " + name, lambda v=view, m=moved: np.copyto(m, v)
  gathered = np.empty(INDICES)
  yield "gather 1e5", lambda: np.take(a["x"], a["places"], out=gathered, mode="clip")

  def scatter_add():
    np.copyto(out, a["x"])
    np.add.at(out, a["places"], a["updates"])

  yield "scatter-add 1e5", scatter_add
  lines = rng.integers(0, 10000, 10000)
  wide, tall = (np.asfortranarray(rng.standard_normal(shape)) for shape in ((100, 10000), (10000, 100)))
  picked_columns, picked_rows = np.empty_like(wide), np.empty_like(tall)
  yield "gather 1e4 columns of 100x10000", lambda: np.take(wide.T, lines, 0, out=picked_columns.T, mode="clip")
  yield "gather 1e4 rows of 10000x100", lambda: np.take(tall.T, lines, 1, out=picked_rows.T, mode="clip")
  short = a["x"][:1000].copy()
  yield "sort 1e6", lambda: np.sort(a["x"])
  yield "sort 1e3", lambda: np.sort(short)
  sums = np.empty_like(matrix)
  for axis in (0, 1):
    yield f"sort 1000x1000 axis {axis}", lambda i=axis: np.sort(matrix, axis=i)
    yield f"cumsum 1000x1000 axis {axis}", lambda i=axis: np.cumsum(matrix, axis=i, out=sums)
  yield "cumsum 1e6", lambda: np.cumsum(a["x"], out=out)
  # This project's argsort keeps the order of equal keys.
  yield "argsort 1e6", lambda: np.argsort(a["x"], kind="stable")
  yield "argsort 1e3", lambda: np.argsort(short, kind="stable")
  yield "argmax 1e6", lambda: np.argmax(a["x"])
  some, others = (rng.integers(0, 20, MILLION) for _ in range(2))
  truth, number = np.empty(MILLION, bool), np.empty_like(some)
  yield "less i64 1e6", lambda: np.less(some, others, out=truth)
  yield "less f64 1e6", lambda: np.less(a["x"], a["y"], out=truth)
  yield "less and select i64 1e6", lambda: np.where(np.less(some, others, out=truth), some, others)
  yield "multiply i64 1e6", lambda: np.multiply(some, others, out=number)
  yield "absolute i64 1e6", lambda: np.abs(np.subtract(some, 10, out=number), out=number)
  for n, (left, right) in a["square"].items():
    product = np.empty((n, n))
    yield f"matmul f64 {n}", lambda l=left, r=right, o=product: np.matmul(l, r, out=o)
  for name, dtype in (("f32", "f4"), ("c64", "c8"), ("c128", "c16")):
    left, right = (m.astype(dtype) for m in a["square"][1024])
    if dtype[0] == "c":
      left, right = left + 1j * right, right - 1j * left
    yield f"matmul {name} 1024", lambda l=left, r=right, o=np.empty_like(left): np.matmul(l, r, out=o)
  for n in (64, 256):
    yield f"svd {n}", lambda m=a["square"][n][0]: svd(m)
  yield "eigh 256", lambda: np.linalg.eigh(a["symmetric"])
  yield "qr 256", lambda: np.linalg.qr(a["square"][256][0])
  for n, rhs in a["rhs"].items():
    yield f"solve 256 rhs {n}", lambda b=rhs: np.linalg.solve(a["dominated"], b)
  yield "cholesky 256", lambda: np.linalg.cholesky(a["positive"])
  five, four = a["legs"], a["legs"][:4]
  path5 = np.einsum_path("abc,cde,efg,bdh,fhi->agi", *five, optimize=("optimal", 1 << 30))[0]
  yield "einsum five tensors", lambda: np.einsum("abc,cde,efg,bdh,fhi->agi", *five, optimize=path5)
  # The contractions one by one: the planner of all four takes longer than the sums.
  yield "einsum trg plaquette", lambda: einsum("ibje,epbq->ijpq", einsum("icb,jec->ibje", four[0], four[1]),
                                               einsum("aep,baq->epbq", four[2], four[3]))
  yield "fft c128 4096", lambda: scipy.fft.fft(a["c4096"])
  yield "fft c128 2^20", lambda: scipy.fft.fft(a["c1m"])
  yield "rfft f64 2^20", lambda: scipy.fft.rfft(a["r1m"])
  yield "fft2 c128 512x512", lambda: scipy.fft.fft2(a["c512"])


def jax_rows(_threads):
  import jax
  jax.config.update("jax_enable_x64", True)
  import jax.numpy as jnp
  import numpy as np
  a = inputs(np)

  def ready(function, *arguments):
    compiled = jax.jit(function)
    arguments = [jnp.asarray(x) for x in arguments]
    return lambda: jax.block_until_ready(compiled(*arguments))

  f = lambda x: jnp.sum(jnp.sin(x) * (x * x))
  grad = jax.grad(f)
  x, v = points(np, 1000)
  yield "value n=1000", ready(f, x)
  yield "grad n=1000", ready(grad, x)
  yield "jvp n=1000", ready(lambda x, v: jax.jvp(f, (x,), (v,))[1], x, v)
  yield "hvp n=1000", ready(lambda x, v: jax.jvp(grad, (x,), (v,))[1], x, v)
  for n, text in ((100_000, "1e5"), (MILLION, "1e6")):
    yield "grad n=" + text, ready(grad, points(np, n)[0])
  for n, text in ((1000, "1000"), (MILLION, "1e6")):
    yield "eager f + backward n=" + text, lambda x=jnp.asarray(points(np, n)[0]): jax.block_until_ready(grad(x))

  @jax.custom_jvp
  def svd(m):
    u, s, vh = jnp.linalg.svd(m, full_matrices=False)
    return u, s, vh

  @svd.defjvp
  def svd_jvp(primals, tangents):
    """With 1/x as x/(x² + ε): H.-J. Liao, J.-G. Liu, L. Wang, T. Xiang, Phys. Rev. X 9, 031041. Square matrices."""
    (m,), (dm,) = primals, tangents
    u, s, vh = svd(m)
    inner = u.T @ dm @ vh.T
    near = lambda x: x / (x * x + SPLIT_EPS)
    gap = near(s[None, :] - s[:, None]) * (1 - jnp.eye(s.size))
    mean = near(s[None, :] + s[:, None])
    odd, even = gap * (inner + inner.T) / 2, mean * (inner - inner.T) / 2
    return (u, s, vh), (u @ (odd + even), jnp.diag(inner), (vh.T @ (odd - even)).T)

  value = lambda beta: trg(jnp, svd, jnp.einsum, jnp.transpose, beta)
  for beta in (0.2, 0.44):
    yield f"trg value beta={beta}", ready(value, beta)
    yield f"trg value+grad beta={beta}", ready(jax.value_and_grad(value), beta)
  yield "add 1e6", ready(jnp.add, a["x"], a["y"])
  for name in ("exp", "sin", "tanh"):
    yield name + " 1e6", ready(getattr(jnp, name), a["x"])
  yield "log 1e6", ready(jnp.log, a["positives"])
  yield "sum 1e6", ready(jnp.sum, a["x"])
  for axis in (0, 1):  # row-major
    yield f"sum 1000x1000 axis {axis}", ready(lambda m, i=axis: m.sum(1 - i), a["matrix"])
  for name, axes in (("210", (2, 1, 0)), ("102", (0, 2, 1))):  # row-major: the same moves in memory
    yield "permute 256x256x64 " + name, ready(lambda t, p=axes: jnp.transpose(t, p), a["block"].transpose(2, 1, 0).copy())
  yield "gather 1e5", ready(lambda x, i: x[i], a["x"], a["places"])
  yield "scatter-add 1e5", ready(lambda x, i, u: x.at[i].add(u), a["x"], a["places"], a["updates"])
  yield "sort 1e6", ready(jnp.sort, a["x"])
  for n, (left, right) in a["square"].items():
    yield f"matmul f64 {n}", ready(jnp.matmul, left, right)
  for n in (64, 256):
    yield f"svd {n}", ready(lambda m: jnp.linalg.svd(m, full_matrices=False), a["square"][n][0])
  yield "eigh 256", ready(jnp.linalg.eigh, a["symmetric"])
  yield "qr 256", ready(jnp.linalg.qr, a["square"][256][0])
  for n, rhs in a["rhs"].items():
    yield f"solve 256 rhs {n}", ready(jnp.linalg.solve, a["dominated"], rhs)
  yield "cholesky 256", ready(jnp.linalg.cholesky, a["positive"])
  yield "einsum five tensors", ready(lambda *t: jnp.einsum("abc,cde,efg,bdh,fhi->agi", *t), *a["legs"])
  yield "einsum trg plaquette", ready(lambda *t: jnp.einsum("icb,jec,aep,baq->ijpq", *t), *a["legs"][:4])
  yield "fft c128 4096", ready(jnp.fft.fft, a["c4096"])
  yield "fft c128 2^20", ready(jnp.fft.fft, a["c1m"])
  yield "rfft f64 2^20", ready(jnp.fft.rfft, a["r1m"])
  yield "fft2 c128 512x512", ready(jnp.fft.fft2, a["c512"])


def torch_rows(threads):
  import numpy as np
  import torch
  torch.set_num_threads(threads)
  torch.set_default_dtype(torch.float64)
  a = inputs(np)
  t = torch.from_numpy
  f = lambda x: torch.sum(torch.sin(x) * (x * x))
  x, v = (t(part) for part in points(np, 1000))
  grad = torch.func.grad(f)
  yield "value n=1000", lambda: f(x)
  yield "grad n=1000", lambda: grad(x)
  yield "jvp n=1000", lambda: torch.func.jvp(f, (x,), (v,))
  yield "hvp n=1000", lambda: torch.func.jvp(grad, (x,), (v,))

  def backward(x):
    leaf = x.detach().requires_grad_(True)
    f(leaf).backward()
    return leaf.grad

  for n, text in ((100_000, "1e5"), (MILLION, "1e6")):
    yield "grad n=" + text, lambda x=t(points(np, n)[0]): backward(x)
  for n, text in ((1000, "1000"), (MILLION, "1e6")):
    yield "eager f + backward n=" + text, lambda x=t(points(np, n)[0]): backward(x)
  # Without a gradient: that of the built-in decomposition is NaN for this model.
  svd = lambda m: torch.linalg.svd(m, full_matrices=False)
  for beta in (0.2, 0.44):
    yield f"trg value beta={beta}", lambda b=torch.tensor(beta): trg(torch, svd, torch.einsum, torch.permute, b)
  big, other, out = t(a["x"]), t(a["y"]), torch.empty(MILLION)
  yield "add 1e6", lambda: torch.add(big, other, out=out)
  for name in ("exp", "sin", "tanh"):
    yield name + " 1e6", lambda g=getattr(torch, name): g(big, out=out)
  positives = t(a["positives"])
  yield "log 1e6", lambda: torch.log(positives, out=out)
  yield "sum 1e6", lambda: torch.sum(big)
  matrix = t(a["matrix"])
  for axis in (0, 1):  # row-major
    yield f"sum 1000x1000 axis {axis}", lambda i=axis: matrix.sum(1 - i)
  block = t(a["block"].transpose(2, 1, 0).copy())
  same = torch.empty_like(block)
  yield "memcpy 256x256x64", lambda: same.copy_(block)
  for name, axes in (("210", (2, 1, 0)), ("102", (0, 2, 1))):
    view = block.permute(axes)
    moved = torch.empty(view.shape)
    yield "permute 256x256x64 " + name, lambda v=view, m=moved: m.copy_(v)
  places, updates = t(a["places"]), t(a["updates"])
  yield "gather 1e5", lambda: big[places]
  yield "scatter-add 1e5", lambda: big.index_add(0, places, updates)
  yield "sort 1e6", lambda: torch.sort(big)
  for n, pair in a["square"].items():
    left, right = t(pair[0]), t(pair[1])
    yield f"matmul f64 {n}", lambda l=left, r=right, o=torch.empty(n, n): torch.matmul(l, r, out=o)
  for n in (64, 256):
    yield f"svd {n}", lambda m=t(a["square"][n][0]): svd(m)
  symmetric, positive, dominated = t(a["symmetric"]), t(a["positive"]), t(a["dominated"])
  yield "eigh 256", lambda: torch.linalg.eigh(symmetric)
  yield "qr 256", lambda m=t(a["square"][256][0]): torch.linalg.qr(m)
  for n, rhs in a["rhs"].items():
    yield f"solve 256 rhs {n}", lambda b=t(rhs): torch.linalg.solve(dominated, b)
  yield "cholesky 256", lambda: torch.linalg.cholesky(positive)
  legs = [t(leg) for leg in a["legs"]]
  yield "einsum five tensors", lambda: torch.einsum("abc,cde,efg,bdh,fhi->agi", *legs)
  yield "einsum trg plaquette", lambda: torch.einsum("ibje,epbq->ijpq", torch.einsum("icb,jec->ibje", legs[0], legs[1]),
                                                     torch.einsum("aep,baq->epbq", legs[2], legs[3]))
  for name, key in (("4096", "c4096"), ("2^20", "c1m")):
    yield "fft c128 " + name, lambda x=t(a[key]): torch.fft.fft(x)
  yield "rfft f64 2^20", lambda x=t(a["r1m"]): torch.fft.rfft(x)
  yield "fft2 c128 512x512", lambda x=t(a["c512"]): torch.fft.fft2(x)


# A program that takes one gradient, as experiments/grad does.
FIRST_GRADIENT = {
    "jax": """import jax; jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
jax.block_until_ready(jax.jit(jax.grad(lambda x: jnp.sum(jnp.sin(x) * (x * x))))(jnp.linspace(-2, 2, 1000)))""",
    "torch": """import torch
x = torch.linspace(-2, 2, 1000, dtype=torch.float64).requires_grad_(True)
torch.sum(torch.sin(x) * (x * x)).backward()""",
}
ROWS = {"numpy": numpy_rows, "jax": jax_rows, "torch": torch_rows}


def least_microseconds(run, seconds):
  run()
  best, end, count = float("inf"), time.perf_counter() + seconds, 0
  while count < 5 or (time.perf_counter() < end and count < 20000):
    start = time.perf_counter()
    run()
    best = min(best, time.perf_counter() - start)
    count += 1
  return 1e6 * best


def delivery(library):
  if library not in FIRST_GRADIENT:
    return
  command = [sys.executable, "-c", FIRST_GRADIENT[library]]
  yield "process to first gradient", least_microseconds(lambda: subprocess.run(command, check=True), 3)
  yield "peak resident MiB", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("library", choices=ROWS)
  parser.add_argument("--threads", type=int, choices=(1, 2), default=1)
  parser.add_argument("--seconds", type=float, default=0.5, help="about how long to repeat each row")
  parser.add_argument("--filter", default=".", help="regular expression that the rows' names match somewhere")
  options = parser.parse_args()
  try:
    module = __import__(options.library)
  except ImportError:
    if options.threads == 1:
      print(f"{options.library} is not installed: skipped", file=sys.stderr)
    return
  peer = f"{options.library} {module.__version__}"
  suffix = " w2" if options.threads == 2 else ""
  wanted = lambda name: re.search(options.filter, name + suffix) and (not suffix or TWO_THREADS.search(name))
  # In a process without numbers of its own, whose memory its children would inherit as their peak.
  if not suffix and any(wanted(name) for name in ("process to first gradient", "peak resident MiB")):
    for name, value in delivery(options.library):
      print(f"{name},{peer},{value:.6g}", flush=True)
  for name, run in ROWS[options.library](options.threads):
    if wanted(name):
      print(f"{name}{suffix},{peer},{least_microseconds(run, options.seconds):.6g}", flush=True)


if __name__ == "__main__":
  main()
