#ifndef TENFERRO_EXPERIMENTS_ISING_ONSAGER_H_
#define TENFERRO_EXPERIMENTS_ISING_ONSAGER_H_

namespace tenferro {

// The Ising model on the infinite square lattice with coupling 1 at inverse temperature beta, per site.
struct IsingExact {
  double lnz;            // ln Z / N
  double dlnz;           // d(ln Z / N)/d beta: minus the energy
  double specific_heat;  // beta² d²(ln Z / N)/d beta²
};

// Onsager's exact solution.
// Units/range: any finite beta; the lattice is bipartite, so ln Z is even in beta. The specific heat is infinite only
// at the critical point ln(1 + √2)/2, which no double is. Accuracy: 2e-15 relative for each of the three, also next to
// the critical point and for beta towards 0. Source: L. Onsager, Phys. Rev. 65, 117 (1944).
IsingExact Onsager(double beta);

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_ISING_ONSAGER_H_
