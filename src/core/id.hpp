#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <functional>

namespace andon::core {

/// A number that names one thing of the kind `Tag`; 0 names none. It reads as an integer wherever one is
/// needed, but a number becomes an id only by `TaskId{number}`, or as a constant: `TaskId id = 5`. Ids of two
/// kinds are neither assigned to each other nor compared.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::int64_t number) : number_{number} {}
  constexpr explicit Id(int number) : number_{number} {}
  template <std::same_as<int> Constant>
  consteval Id(Constant number) : number_{number} {}
  template <class Other>
  Id(Id<Other>) = delete;

  constexpr operator std::int64_t() const { return number_; }

 private:
  std::int64_t number_ = 0;
};

template <class A, class B>
  requires(!std::same_as<A, B>)
bool operator==(Id<A>, Id<B>) = delete;
template <class A, class B>
  requires(!std::same_as<A, B>)
std::strong_ordering operator<=>(Id<A>, Id<B>) = delete;

/// The number after this one, for a kind whose numbers rise by one.
template <class Tag>
constexpr Id<Tag> next(Id<Tag> id) {
  return Id<Tag>{id + 1};
}

template <class T>
inline constexpr bool kIsId = false;
template <class Tag>
inline constexpr bool kIsId<Id<Tag>> = true;

using TaskId = Id<struct TaskTag>;
using BoardId = Id<struct BoardTag>;
using RunId = Id<struct RunTag>;
using AutomationId = Id<struct AutomationTag>;
using TokenId = Id<struct TokenTag>;
using EventSeq = Id<struct EventTag>;
/// The fencing number of a claim; it rises whenever a claim begins or ends.
using Epoch = Id<struct EpochTag>;
/// The version of a task, board, worker or automation; it rises with every change.
using Revision = Id<struct RevisionTag>;

}  // namespace andon::core

template <class Tag>
struct std::hash<andon::core::Id<Tag>> : std::hash<std::int64_t> {};
