#!/bin/sh
# Times NumPy (with SciPy's transforms), JAX and PyTorch on this machine, those that are installed, for the table:
#   tools/peers.sh /tmp/peers.csv && ./bazelw run //experiments:bench -- --peers=/tmp/peers.csv
# Further arguments go to tools/peers.py: --seconds=2 --filter=matmul. PYTHON names another interpreter.
set -e
if [ $# -lt 1 ]; then
  echo "usage: tools/peers.sh OUT.csv [--seconds=N] [--filter=REGEX]" >&2
  exit 2
fi
out=$1
shift
python=${PYTHON:-python3}
script=$(dirname "$0")/peers.py
last=$(($(nproc) > 1 ? 1 : 0))
echo name,peer,microseconds > "$out"
for library in numpy jax torch; do
  for threads in 1 2; do
    # JAX runs BLAS inside threads of its own: more BLAS threads make it slower.
    blas=$threads
    if [ $library = jax ]; then blas=1; fi
    cores=0
    if [ $threads = 2 ]; then cores=0-$last; fi
    OPENBLAS_NUM_THREADS=$blas OMP_NUM_THREADS=$threads MKL_NUM_THREADS=$threads \
      taskset -c $cores "$python" "$script" $library --threads=$threads "$@" >> "$out"
  done
done
