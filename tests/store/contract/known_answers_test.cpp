#include <array>
#include <random>
#include <sstream>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"

using namespace andon;
using namespace andon::test;
using store::Outcome;

namespace {

constexpr int kGameTasks = 12;
constexpr int kGameRounds = 150;
std::array<std::string, 3> const kGameHolders{"ann", "bob", "eve"};
std::array<std::string, 4> const kGameColumns{"backlog", "todo", "doing", "done"};

void tell_pick(std::ostringstream& out, store::Tx& tx, std::string const& column, core::Instant now) {
  int left = 4;
  tx.candidates({tx.board("shop")->id, {column}, {""}, ""}, now, [&](core::Task const& task) {
    out << task.id << task.title << ' ';
    return --left == 0;
  });
}

/// Everything that a session with a buffer answers from memory.
std::string answers(store::Tx& tx, core::Instant now) {
  std::ostringstream out;
  for (int n = 1; n <= kGameTasks; ++n) {
    core::TaskId const id{n};
    auto const task = tx.task(id);
    if (!task) continue;
    out << id << ' ' << task->rev << task->title << task->status << task->claimed_by
        << tx.body(id).value_or("-");
    for (auto const other : tx.dependents(id)) out << " d" << other;
    for (auto const other : tx.children(id)) out << " c" << other;
    if (auto const progress = tx.progress(id)) out << " p" << progress->done << '/' << progress->total;
    if (auto const review = tx.open_review_of(id)) out << " r" << *review;
    out << '\n';
  }
  for (auto const& holder : kGameHolders)
    for (auto const id : tx.claims_of(holder, now)) out << holder << id << ' ';
  for (auto const& column : kGameColumns) tell_pick(out, tx, column, now);
  return out.str();
}

/// Random changes of a few tasks.
class ChangeGame {
 public:
  explicit ChangeGame(unsigned seed) : random_(seed) {}
  void play(store::Tx& tx) {
    auto const id = core::TaskId{1 + below(kGameTasks)};
    auto task = tx.task(id);
    if (!task) {
      tx.add(new_task(id));
      return;
    }
    auto const rev = core::next(task->rev);
    if (below(4) == 0) {
      auto changed = new_task(id);
      changed.rank = task->rank;
      changed.rev = rev;
      return tx.put(changed, true);
    }
    task->rev = rev;
    task->status = kGameColumns[static_cast<std::size_t>(below(4))];
    claim(*task);
    tx.put(*task);
  }
  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

 private:
  core::Task new_task(core::TaskId id) {
    auto builder =
        a_task("t" + std::to_string(below(1000))).in(kGameColumns[static_cast<std::size_t>(below(4))]);
    if (below(3) == 0) builder.with_body(std::string(static_cast<std::size_t>(below(9000)), 'b'));
    if (below(3) == 0) builder.due(20'000 + below(4));
    if (id > 1 && below(3) == 0) builder.child_of(core::TaskId{1 + below(static_cast<int>(id) - 1)});
    if (id > 1 && below(4) == 0) builder.waiting_for(core::TaskId{1 + below(static_cast<int>(id) - 1)});
    if (below(5) == 0) builder.not_before(at_minute(below(kGameRounds)));
    core::Task task = builder;
    task.id = id;
    if (below(8) == 0) task.state.reviews = core::TaskId{1 + below(kGameTasks)};
    claim(task);
    return task;
  }
  void claim(core::Task& task) {
    task.claimed_by = below(2) ? kGameHolders[static_cast<std::size_t>(below(3))] : "";
    task.claim_expires.reset();
    if (!task.claimed_by.empty() && below(2)) task.claim_expires = at_minute(below(kGameRounds));
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("Units.ThatWriteSeeWhatReadersSee") {
  for (auto const kind : {KindOfStore::sqlite, KindOfStore::second_driver}) {
    StoreUnderTest const store{kind};
    CAPTURE(kind);
    add_board(*store);
    ChangeGame game{11};
    for (int round = 0; round < kGameRounds; ++round) {
      auto const now = at_minute(round);
      bool const is_kept = game.below(4) > 0;
      store::write(*store, [&](store::Tx& tx) {
        for (int n = game.below(4); n >= 0; --n) {
          game.play(tx);
          if (game.below(2)) answers(tx, now);
        }
        return is_kept ? Outcome::commit : Outcome::rollback;
      });
      std::string by_writer;
      store::write(*store, [&](store::Tx& tx) { return by_writer = answers(tx, now), Outcome::rollback; });
      REQUIRE(by_writer == seen(*store, [&](store::Tx& tx) { return answers(tx, now); }));
    }
  }
}
