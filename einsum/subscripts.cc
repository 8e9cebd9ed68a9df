#include "tenferro/einsum/subscripts.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "tenferro/einsum/label_set.h"
#include "tenferro/tensor/status.h"

namespace tenferro::einsum {
namespace {

// Stands for the place of an ellipsis among the labels of one term.
constexpr Label kEllipsis = 0;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

absl::StatusOr<Ints> ParseTerm(absl::string_view term) {
  Ints labels;
  bool has_ellipsis = false;
  for (size_t i = 0; i < term.size(); ++i) {
    if (IsLetter(term[i])) {
      labels.push_back(term[i]);
      continue;
    }
    if (term.substr(i, 3) != "..." || has_ellipsis) {
      return absl::InvalidArgumentError(absl::StrCat("\"", term, "\" has more than letters and one ellipsis"));
    }
    has_ellipsis = true;
    labels.push_back(kEllipsis);
    i += 2;
  }
  return labels;
}

constexpr int kMostNested = 256;

// Reads operands, separated by commas, up to the end or a closing parenthesis.
absl::Status ParseOperands(absl::string_view& rest, Group& group, std::vector<Ints>& terms, int depth = 0) {
  if (depth > kMostNested) {
    return absl::InvalidArgumentError(absl::StrCat("parentheses are nested more than ", kMostNested, " deep"));
  }
  for (;;) {
    if (!rest.empty() && rest.front() == '(') {
      rest.remove_prefix(1);
      group.members.emplace_back();
      TENFERRO_RETURN_IF_ERROR(ParseOperands(rest, group.members.back(), terms, depth + 1));
      if (rest.empty() || rest.front() != ')') return absl::InvalidArgumentError("a parenthesis is not closed");
      rest.remove_prefix(1);
    } else {
      const size_t end = std::min(rest.find_first_of(",()"), rest.size());
      TENFERRO_ASSIGN_OR_RETURN(Ints term, ParseTerm(rest.substr(0, end)));
      group.members.push_back({static_cast<int>(terms.size()), {}});
      terms.push_back(std::move(term));
      rest.remove_prefix(end);
    }
    if (rest.empty() || rest.front() == ')') return absl::OkStatus();
    if (rest.front() != ',') return absl::InvalidArgumentError("a parenthesis does not stand around whole operands");
    rest.remove_prefix(1);
  }
}

int CountOf(const Ints& labels, Label label) {
  return static_cast<int>(std::count(labels.begin(), labels.end(), label));
}

// `labels` with the ellipsis replaced by `width` negative labels, the last of which is -1.
Ints Expanded(const Ints& labels, int width) {
  Ints result;
  for (Label label : labels) {
    if (label != kEllipsis) {
      result.push_back(label);
      continue;
    }
    for (int i = width; i > 0; --i) result.push_back(-i);
  }
  return result;
}

absl::Status SetExtent(Label label, int64_t extent, Contraction& contraction) {
  const auto place = std::lower_bound(contraction.extents.begin(), contraction.extents.end(), label,
                                      [](const auto& entry, Label l) { return entry.first < l; });
  if (place == contraction.extents.end() || place->first != label) {
    contraction.extents.insert(place, {label, extent});
    return absl::OkStatus();
  }
  if (place->second == extent || (label < 0 && extent == 1)) return absl::OkStatus();
  if (label < 0 && place->second == 1) {
    place->second = extent;
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("label ", NameOf(label), " has extents ", place->second, " and ", extent));
}

// The result's labels where the subscripts do not say them.
Ints ImplicitOutput(const std::vector<Ints>& terms) {
  Ints all;
  for (const Ints& term : terms) all.insert(all.end(), term.begin(), term.end());
  Ints output;
  if (CountOf(all, kEllipsis) > 0) output.push_back(kEllipsis);
  Ints letters = all;
  std::sort(letters.begin(), letters.end());
  for (Label label : letters) {
    if (label != kEllipsis && CountOf(all, label) == 1) output.push_back(label);
  }
  return output;
}

// Extents and result of a contraction whose operands have these labels, ellipses not expanded yet.
absl::StatusOr<Contraction> WithShapes(const std::vector<Ints>& terms, const Ints& output, Group grouping,
                                       absl::Span<const Shape> shapes) {
  if (terms.size() != shapes.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the subscripts have ", terms.size(), " operands, got ", shapes.size()));
  }
  Contraction contraction;
  contraction.grouping = std::move(grouping);
  int widest = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    const int letters = static_cast<int>(terms[i].size()) - CountOf(terms[i], kEllipsis);
    const int width = shapes[i].rank() - letters;
    if (width < 0 || (width > 0 && CountOf(terms[i], kEllipsis) == 0)) {
      return absl::InvalidArgumentError(
          absl::StrCat("operand ", i, " has ", shapes[i].rank(), " axes, its subscripts ", letters));
    }
    widest = std::max(widest, width);
    const Ints labels = Expanded(terms[i], width);
    for (int axis = 0; axis < shapes[i].rank(); ++axis) {
      TENFERRO_RETURN_IF_ERROR(SetExtent(labels[axis], shapes[i].extent(axis), contraction));
    }
    contraction.operands.push_back(labels);
  }
  if (widest > 0 && CountOf(output, kEllipsis) == 0) {
    return absl::InvalidArgumentError("the operands have an ellipsis, the result has none");
  }
  if (contraction.extents.size() > LabelSet::kMost) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", contraction.extents.size(), " labels, more than ", LabelSet::kMost));
  }
  contraction.output = Expanded(output, widest);
  for (Label label : contraction.output) {
    bool known = false;
    for (const auto& entry : contraction.extents) known |= entry.first == label;
    if (!known)
      return absl::InvalidArgumentError(absl::StrCat("label ", NameOf(label), " of the result is in no operand"));
  }
  return contraction;
}

}  // namespace

std::string NameOf(Label label) {
  if (label >= kFirstNumber) return absl::StrCat(label - kFirstNumber);
  return label > 0 ? std::string(1, static_cast<char>(label)) : "...";
}

int Contraction::NumberOf(Label label) const {
  const auto place = std::lower_bound(extents.begin(), extents.end(), label,
                                      [](const auto& entry, Label l) { return entry.first < l; });
  return static_cast<int>(place - extents.begin());
}

absl::StatusOr<Contraction> ParseSubscripts(absl::string_view subscripts, absl::Span<const Shape> shapes) {
  std::string text;
  for (char c : subscripts) {
    if (c != ' ') text += c;
  }
  const absl::string_view all = text;
  const size_t arrow = all.find("->");
  std::vector<Ints> terms;
  Group grouping;
  absl::string_view inputs = all.substr(0, arrow);
  TENFERRO_RETURN_IF_ERROR(ParseOperands(inputs, grouping, terms));
  if (!inputs.empty()) return absl::InvalidArgumentError("a parenthesis is closed that was not opened");
  Ints output;
  if (arrow == absl::string_view::npos) {
    output = ImplicitOutput(terms);
  } else {
    TENFERRO_ASSIGN_OR_RETURN(output, ParseTerm(all.substr(arrow + 2)));
  }
  return WithShapes(terms, output, std::move(grouping), shapes);
}

absl::StatusOr<Contraction> FromLabels(absl::Span<const Ints> labels, const Ints& output,
                                       absl::Span<const Shape> shapes) {
  const auto numbered = [](const Ints& list, Ints& result) -> absl::Status {
    for (int64_t label : list) {
      if (label < 0) return absl::InvalidArgumentError(absl::StrCat("the label ", label, " is negative"));
      if (label > kGreatestNumber) {
        return absl::InvalidArgumentError(absl::StrCat("the label ", label, " is greater than ", kGreatestNumber));
      }
      result.push_back(kFirstNumber + label);
    }
    return absl::OkStatus();
  };
  std::vector<Ints> terms(labels.size());
  Group grouping;
  for (size_t i = 0; i < labels.size(); ++i) {
    TENFERRO_RETURN_IF_ERROR(numbered(labels[i], terms[i]));
    grouping.members.push_back({static_cast<int>(i), {}});
  }
  Ints result;
  TENFERRO_RETURN_IF_ERROR(numbered(output, result));
  return WithShapes(terms, result, std::move(grouping), shapes);
}

}  // namespace tenferro::einsum
