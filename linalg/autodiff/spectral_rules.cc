#include "tenferro/linalg/autodiff/spectral_rules.h"

#include "tenferro/linalg/eig.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/hermitian_function.h"
#include "tenferro/linalg/matrix_function.h"
#include "tenferro/linalg/spectral_slots.h"
#include "tenferro/runtime/derivative.h"

namespace tenferro::linalg::spectral_internal {
namespace {

constexpr DerivativeRules kRules[] = {
    {&kEigh, JvpEigh, VjpEigh},
    {&kEigvalsh, JvpEigvalsh, VjpEigvalsh},
    {&kGeneralizedEigh, JvpGeneralizedEigh, VjpGeneralizedEigh},
    {&kHermitianFunction, JvpHermitianFunction, VjpHermitianFunction},
    {&kHermitianFunctionDerivative, JvpHermitianFunctionDerivative, nullptr, TransposeHermitianFunctionDerivative},
    {&kHermitianFunctionSecond, JvpHermitianFunctionSecond, nullptr, TransposeHermitianFunctionSecond},
    {&kExpm, JvpMatrixFunction, VjpMatrixFunction},
    {&kSqrtm, JvpMatrixFunction, VjpMatrixFunction},
    {&kLogm, JvpMatrixFunction, VjpMatrixFunction},
    {&kExpmDerivative, JvpMatrixFunctionDerivative, nullptr, TransposeMatrixFunctionDerivative},
    {&kSqrtmDerivative, JvpMatrixFunctionDerivative, nullptr, TransposeMatrixFunctionDerivative},
    {&kLogmDerivative, JvpMatrixFunctionDerivative, nullptr, TransposeMatrixFunctionDerivative},
    {&kHermitianSylvester, JvpHermitianSylvester, nullptr, TransposeHermitianSylvester},
    {&kPolar, JvpPolar, nullptr},
    {&kEig, JvpEig, nullptr},
    {&kEigvals, JvpEigvals, nullptr},
};
constexpr DerivativeFamily kFamily{kRules};
[[maybe_unused]] const bool filled = FillSlot(spectral_slots, &FamilySlots::derivative, &kFamily);

}  // namespace
}  // namespace tenferro::linalg::spectral_internal
