#pragma once

#include <string>

#include "reflect/json.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::test {

/// Everything a store remembers as one text, so that a test can say that nothing changed. Answers kept for
/// retried requests are left out: they can be asked for by key only.
inline std::string store_digest(store::Store& store) {
  std::string out;
  auto const line = [&](auto const& object) { (out += reflect::to_json(object)) += '\n'; };
  store.read([&](store::Tx& tx) {
    for (auto const* known : tx.boards()) {
      auto const& board = *known;
      line(board);
      for (auto const& [column, n] : tx.load(board.id).columns)
        out += column + "=" + std::to_string(n) + "\n";
      for (auto const& [name, n] : tx.load(board.id).classes) out += name + "=" + std::to_string(n) + "\n";
    }
    for (auto const& worker : tx.workers()) line(worker);
    for (auto const& automation : tx.automations()) line(automation);
    store::TaskFilter everything;
    everything.archived = true;
    auto const listed = tx.list(everything, {1'000'000, {}, store::TaskOrder::id, false});
    for (auto const& task : listed->tasks) {
      line(task);
      line(task.state);
      out += tx.body(task.id).value_or("");
      for (auto const& run : tx.runs_of(task.id)) line(run);
    }
    for (auto const& event : tx.events({0, {}, {}, {}, {}, 1'000'000, false}))
      out += std::to_string(event.seq) + " " + std::to_string(static_cast<int>(event.kind)) + " " +
             event.board + " " + std::to_string(event.task.value_or(0)) + " " + event.from + " " + event.to +
             " " + event.data + "\n";
    for (auto const& token : tx.tokens())
      out += token.hash + token.name + token.label + (token.revoked ? "-\n" : "+\n");
    for (auto const& [name, value] : tx.settings()) out += name + "=" + value + "\n";
  });
  return out;
}

}  // namespace andon::test
