#include "tenferro/linalg/autodiff/rules.h"
#include "tenferro/linalg/slots.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/derivative.h"

namespace tenferro::linalg {
namespace {

constexpr DerivativeRules kRules[] = {
    {&kSvd, JvpSvd, VjpSvd},
    {&kSvdFull, JvpSvdFull, VjpSvdFull},
    {&kSvdLorentz, JvpSvdLorentz, nullptr},
    {&kSvdVals, JvpSvdVals, VjpSvdVals},
    {&kSvdTruncated, JvpTruncated, VjpTruncated},
    {&kIsometry, JvpIsometry, VjpIsometry},
    {&kSplitSvd, JvpSplit, VjpSplit},
    {&kCheckGaugeInvariant, JvpCheckGauge, VjpCheckGauge},
    {&kRootSylvester, JvpSylvester, nullptr, TransposeSylvester},
    {&kTruncatedComplement, JvpComplement, nullptr, TransposeComplement},
};
constexpr DerivativeFamily kFamily{kRules};
[[maybe_unused]] const bool filled = FillSlot(linalg_slots, &FamilySlots::derivative, &kFamily);

}  // namespace
}  // namespace tenferro::linalg
