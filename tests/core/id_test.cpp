#include "core/id.hpp"

#include <optional>
#include <string>
#include <type_traits>
#include <unordered_set>

#include <doctest/doctest.h>

namespace andon::core {
namespace {

template <class A, class B>
concept IsComparable = requires(A a, B b) { a == b; } || requires(A a, B b) { a < b; };

static_assert(sizeof(TaskId) == 8);
static_assert(std::is_trivially_copyable_v<TaskId>);

static_assert(!std::is_constructible_v<BoardId, TaskId>);
static_assert(!std::is_convertible_v<TaskId, BoardId>);
static_assert(!std::is_assignable_v<BoardId&, TaskId>);
static_assert(!std::is_constructible_v<std::optional<BoardId>, TaskId>);
static_assert(!IsComparable<TaskId, RunId>);

static_assert(std::is_constructible_v<TaskId, std::int64_t>);
static_assert(!std::is_convertible_v<std::int64_t, TaskId>);
static_assert(!std::is_convertible_v<std::int64_t, std::optional<TaskId>>);
static_assert(!std::is_assignable_v<TaskId&, std::int64_t>);

static_assert(std::is_convertible_v<TaskId, std::int64_t>);
static_assert(IsComparable<TaskId, TaskId> && IsComparable<TaskId, int> &&
              IsComparable<TaskId, std::int64_t>);

TEST_CASE("Id.NamesNothingUntilItIsGiven") { CHECK(TaskId{} == 0); }

TEST_CASE("Id.IsMadeFromAConstantOrANamedNumber") {
  TaskId const constant = 5;
  std::int64_t const number = 5;
  CHECK(constant == TaskId{number});
  CHECK(std::optional<TaskId>{5} == constant);
  CHECK(std::to_string(constant) == "5");
}

TEST_CASE("Id.OrdersByNumber") {
  CHECK(RunId{2} < RunId{10});
  CHECK(RunId{2} != RunId{10});
}

TEST_CASE("Id.IsFollowedByTheNextNumberOfItsKind") { CHECK(next(EventSeq{2}) == EventSeq{3}); }

TEST_CASE("Id.IsAKeyOfHashTables") { CHECK(std::unordered_set<TaskId>{1, 2, 1}.size() == 2); }

}  // namespace
}  // namespace andon::core
