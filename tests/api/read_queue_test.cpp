#include "api/read_queue.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

using andon::api::ReadQueue;

namespace {

/// What runs, in the order of the queue.
std::string order_of(std::vector<std::string> const& owners) {
  ReadQueue queue;
  std::string ran;
  for (auto const& owner : owners) queue.push(owner, [&ran, owner] { ran += owner; });
  while (!queue.empty()) queue.take()();
  return ran;
}

}  // namespace

TEST_CASE("ReadQueue.OwnersTakeTurns") {
  CHECK(order_of({"a", "a", "a", "a", "b", "c", "b"}) == "abcabaa");
  CHECK(order_of({"a"}) == "a");
  CHECK(order_of({}).empty());
}

TEST_CASE("ReadQueue.WhoeverComesWhileAnotherHasManyIsNext") {
  ReadQueue queue;
  std::string ran;
  for (int n = 0; n < 150; ++n) queue.push("greedy", [&] { ran += 'g'; });
  queue.take()();
  queue.push("other", [&] { ran += 'o'; });
  queue.take()();
  queue.take()();
  CHECK(ran == "ggo");
}
