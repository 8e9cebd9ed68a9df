// The messages of the indexing family, and how it prints.
#include "gtest/gtest.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/indexing_shapes.h"

namespace tenferro {
namespace {

std::string Message(const Var& var) { return std::string(var.status().message()); }
std::string Here(const char* rest, Location location = Location::current()) {
  return "indexing_errors_test.cc:" + std::to_string(location.line()) + ": " + rest;
}

// A valid gather of windows [1,2] of x f64[3,4] at indices i64[5,2], for tests to spoil.
GatherAttributes Valid() {
  return {.offset_dims = {1},
          .collapsed_slice_dims = {0},
          .operand_batching_dims = {},
          .start_indices_batching_dims = {},
          .start_index_map = {0, 1},
          .index_vector_dim = 1,
          .slice_sizes = {1, 2}};
}

template <class Change>
GatherAttributes Spoiled(const Change& change) {
  GatherAttributes a = Valid();
  change(a);
  return a;
}

TEST(Errors, OfGathers) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3, 4}), i = graph.Input(DType::kI64, {5, 2});
  EXPECT_EQ(Gather(x, i, Valid()).type().ToString(), "f64[5,2]");
  EXPECT_EQ(Message(Gather(x, x, Valid())), Here("gather: indices must be integers, got f64[3,4]"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) { a.collapsed_slice_dims = {2}; }))),
            Here("gather: collapsed_slice_dims 2 does not exist in rank 2"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) {
                             a.operand_batching_dims = {1, 1};
                           }))),
            Here("gather: operand_batching_dims 1 stands twice"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) {
                             a.start_index_map = {0, 0};
                           }))),
            Here("gather: start_index_map 0 stands twice"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) { a.operand_batching_dims = {0}; }))),
            Here("gather: axis 0 stands in collapsed_slice_dims and in operand_batching_dims"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) { a.operand_batching_dims = {1}; }))),
            Here("gather: axis 1 stands in start_index_map and in operand_batching_dims"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) { a.slice_sizes = {1}; }))),
            Here("gather: slice_sizes has 1 entries for f64[3,4]"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) {
                             a.slice_sizes = {1, -2};
                           }))),
            Here("gather: slice_sizes has -2 for axis 1"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) {
                             a.slice_sizes = {1, 5};
                           }))),
            Here("gather: a window of extent 5 does not fit axis 1 of f64[3,4]"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) {
                             a.slice_sizes = {2, 2};
                           }))),
            Here("gather: a window has extent 2 on axis 0 of collapsed_slice_dims"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) {
                             a.operand_batching_dims = {1};
                             a.start_index_map = {0};
                           }))),
            Here("gather: a window has extent 2 on axis 1 of operand_batching_dims"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) { a.index_vector_dim = 3; }))),
            Here("gather: index_vector_dim 3 does not exist in indices i64[5,2]"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) { a.index_vector_dim = 2; }))),
            Here("gather: index vectors have 1 components, start_index_map has 2"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) { a.start_indices_batching_dims = {2}; }))),
            Here("gather: start_indices_batching_dims 2 does not exist in rank 2"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) { a.start_indices_batching_dims = {1}; }))),
            Here("gather: axis 1 stands in start_indices_batching_dims and is index_vector_dim"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) { a.start_indices_batching_dims = {0}; }))),
            Here("gather: operand_batching_dims has 0 axes, start_indices_batching_dims has 1"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) {
                             a.operand_batching_dims = {0};
                             a.collapsed_slice_dims = {};
                             a.start_indices_batching_dims = {0};
                             a.start_index_map = {1};
                             a.index_vector_dim = 2;
                           }))),
            Here("gather: batching axes differ, got axis 0 of f64[3,4] and axis 0 of indices i64[5,2]"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) { a.offset_dims = {}; }))),
            Here("gather: offset_dims has 0 axes, a window has 1"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) { a.offset_dims = {2}; }))),
            Here("gather: offset_dims 2 does not exist in rank 2"));
  EXPECT_EQ(Message(Gather(x, i, Spoiled([](auto& a) {
                             a.offset_dims = {2, 1};
                             a.collapsed_slice_dims = {};
                           }))),
            Here("gather: offset_dims must ascend"));
  EXPECT_EQ(
      Message(Gather(graph.Input(DType::kI32, {3, 4}), i, Spoiled([](auto& a) { a.mode = IndexMode::kFill; }), 0.5)),
      Here("gather: a float is no i32: convert the tensor"));
}

TEST(Errors, OfScatters) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3, 4}), i = graph.Input(DType::kI64, {5, 2});
  const Var u = graph.Input(DType::kF64, {5, 2});
  const ScatterAttributes valid = ScatterOf(Valid());
  const auto spoiled = [&](auto change) {
    ScatterAttributes a = valid;
    change(a);
    return a;
  };
  const ScatterKind add = ScatterKind::kAdd;
  EXPECT_EQ(Scatter(x, i, u, add, valid).type().ToString(), "f64[3,4]");
  EXPECT_EQ(Message(Scatter(graph.Input(DType::kBool, {3, 4}), i, u, add, valid)),
            Here("scatter_add: does not take bool"));
  EXPECT_EQ(Message(Scatter(graph.Input(DType::kC64, {3, 4}), i, u, ScatterKind::kMax, valid)),
            Here("scatter_max: does not take c64"));
  EXPECT_EQ(Message(Scatter(graph.Input(DType::kF32, {3, 4}), i, u, ScatterKind::kSet, valid)),
            Here("scatter_set: dtypes differ, got f32[3,4] and updates f64[5,2]"));
  EXPECT_EQ(Message(Scatter(x, i, u, add, spoiled([](auto& a) { a.inserted_window_dims = {4}; }))),
            Here("scatter_add: inserted_window_dims 4 does not exist in rank 2"));
  EXPECT_EQ(Message(Scatter(x, i, u, add, spoiled([](auto& a) { a.input_batching_dims = {0}; }))),
            Here("scatter_add: axis 0 stands in inserted_window_dims and in input_batching_dims"));
  EXPECT_EQ(Message(Scatter(x, i, u, add, spoiled([](auto& a) { a.update_window_dims = {}; }))),
            Here("scatter_add: update_window_dims has 0 axes, a window has 1"));
  EXPECT_EQ(Message(Scatter(x, i, u, add, spoiled([](auto& a) { a.update_window_dims = {2}; }))),
            Here("scatter_add: update_window_dims 2 does not exist in rank 2"));
  EXPECT_EQ(Message(Scatter(x, i, u, add, spoiled([](auto& a) { a.scatter_dims_to_operand_dims = {0}; }))),
            Here("scatter_add: index vectors have 2 components, scatter_dims_to_operand_dims has 1"));
  EXPECT_EQ(Message(Scatter(x, i, graph.Input(DType::kF64, {6, 2}), add, valid)),
            Here("scatter_add: updates f64[6,2] do not fit indices i64[5,2]: want shape [5,2]"));
  EXPECT_EQ(Message(Scatter(x, i, graph.Input(DType::kF64, {5, 7}), add, valid)),
            Here("scatter_add: a window of extent 7 does not fit axis 1 of f64[3,4]"));
}

TEST(Errors, OfSlicesAndConvenienceFunctions) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3, 4}), i = graph.Input(DType::kI64, {2});
  const Var bad = graph.Input(DType::kI64, {3});
  EXPECT_EQ(Message(DynamicSlice(x, bad, {1, 1})),
            Here("dynamic_slice: starts must be a vector with one number for each axis of f64[3,4], got i64[3]"));
  EXPECT_EQ(Message(DynamicSlice(x, graph.Input(DType::kF64, {2}), {1, 1})),
            Here("dynamic_slice: starts must be integers, got f64[2]"));
  EXPECT_EQ(Message(DynamicSlice(x, i, {1})), Here("dynamic_slice: slice_sizes has 1 entries for f64[3,4]"));
  EXPECT_EQ(Message(DynamicSlice(x, i, {4, 1})),
            Here("dynamic_slice: a window of extent 4 does not fit axis 0 of f64[3,4]"));
  EXPECT_EQ(Message(DynamicSlice(x, {Arg(i), Arg(0)}, {1, 1})),
            Here("dynamic_slice: a start must be an integer, got i64[2]"));
  EXPECT_EQ(Message(DynamicSlice(x, {Arg(0.5), Arg(0)}, {1, 1})),
            Here("dynamic_slice: a float is no i64: convert the tensor"));
  EXPECT_EQ(Message(DynamicSlice(x, 0, {1, 1})),
            Here("dynamic_slice: starts must be a vector with one number for each axis of f64[3,4], got i64[1]"));
  EXPECT_EQ(Message(DynamicUpdateSlice(x, i, i)),
            Here("dynamic_update_slice: dtypes or ranks differ, got f64[3,4] and update i64[2]"));
  EXPECT_EQ(Message(DynamicUpdateSlice(x, graph.Input(DType::kF64, {3, 5}), i)),
            Here("dynamic_update_slice: a window of extent 5 does not fit axis 1 of f64[3,4]"));
  EXPECT_EQ(Message(IndexSelect(x, i, 2)), Here("index_select: axis 2 does not exist in f64[3,4]"));
  EXPECT_EQ(Message(IndexSelect(x, x, 0)), Here("index_select: indices must be integers, got f64[3,4]"));
  EXPECT_EQ(Message(IndexSelect(graph.Input(DType::kF64, {0}), i, 0)),
            Here("index_select: axis 0 of f64[0] has no element"));
  EXPECT_EQ(Message(TakeAlongAxis(x, i, 1)),
            Here("take_along_axis: extents beside axis 1 differ, got f64[3,4] and indices i64[2]"));
  EXPECT_EQ(Message(PutAlongAxis(x, i, x, 0)),
            Here("put_along_axis: extents beside axis 0 differ, got f64[3,4] and indices i64[2]"));
}

TEST(Printing, NamesTheModes) {
  GatherAttributes a = Valid();
  a.mode = IndexMode::kFill;
  EXPECT_EQ(kGather.print(Encode(a)),
            "offset_dims=[1], collapsed_slice_dims=[0], operand_batching_dims=[], start_indices_batching_dims=[], "
            "start_index_map=[0,1], index_vector_dim=1, slice_sizes=[1,2], mode=fill, from_the_end=false, fill_low=0, "
            "fill_high=0");
  ScatterAttributes scatter = ScatterOf(a);
  scatter.from_the_end = true;
  EXPECT_EQ(kScatterAdd.print(Encode(scatter)),
            "update_window_dims=[1], inserted_window_dims=[0], input_batching_dims=[], "
            "scatter_indices_batching_dims=[], scatter_dims_to_operand_dims=[0,1], index_vector_dim=1, mode=fill, "
            "from_the_end=true");
}

}  // namespace
}  // namespace tenferro
