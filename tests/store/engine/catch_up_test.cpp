#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/sqlite/driver/sqlite_index_opener.hpp"

using namespace andon;
using namespace andon::test;
using store::engine::FileTable;
using store::engine::Unit;

namespace {

/// A source whose edits come in two slices. The first one moves a task, the second one fails the first time.
class SlicedSource final : public store::engine::ExternalSource {
 public:
  void lag(core::Task task) { task_ = std::move(task); }

  std::string file_of(FileTable&, core::Board const&, core::TaskId) override { return {}; }
  std::string seen_file_of(FileTable&, core::Board const&, core::TaskId) override { return {}; }
  bool is_directory() const override { return false; }
  void refresh(FileTable&) override {}
  void on_not_found(FileTable&, core::TaskId) override {}
  void begin(std::function<void()>) override {}
  void end() noexcept override {}
  bool is_in_use() const override { return false; }
  bool is_shared() const override { return false; }
  void enter() override {}
  bool is_behind() override { return task_.id != 0; }
  bool catch_up(Unit& tx) override {
    if (is_first_slice_ && failures_ > 0) {
      auto task = task_;
      task.status = "doing";
      task.rev = core::next(task.rev);
      tx.put(task);
      is_first_slice_ = false;
      return true;
    }
    if (failures_-- > 0) {
      is_first_slice_ = true;
      throw store::StoreError{store::StoreError::Kind::other, "the second slice fails"};
    }
    task_.id = 0;
    return false;
  }
  void take_back() override {}
  void settle() noexcept override {}
  void leave() noexcept override {}
  void start_unit() override {}
  bool publish(Unit&) override { return true; }
  void adding(Unit&, core::Board&) override {}
  void putting(Unit&, core::Board const&, core::Board&) override {}
  void removing(Unit&, core::Board const&) override {}
  void adding(Unit&, core::Board const&, core::Task&) override {}
  void putting(Unit&, core::Board const&, core::Task const&, core::Task&, bool) override {}
  void appending(Unit&, core::Event const&) override {}
  void added(Unit&, core::Board const&) override {}

 private:
  core::Task task_;  ///< whose move is not applied yet; its id is 0 when none is
  int failures_ = 1;
  bool is_first_slice_ = true;
};

}  // namespace

TEST_CASE("CatchUp.ThatFailsHalfWayLeavesNoCountBehind") {
  auto owned = std::make_unique<SlicedSource>();
  auto& source = *owned;
  store::engine::DriverStore store{store::sqlite::SqliteIndexOpener{}.in_memory(), std::move(owned),
                                   store::exit_on_fatal, store::engine::ReadingSessions::none};
  auto const board = add_board(store);
  auto const task = add_task(store, a_task().ready());
  source.lag(task);
  CHECK_THROWS_AS(keep(store, [](store::Tx& tx) { tx.set_setting("a", "b"); }), store::StoreError);
  auto const load = keep(store, [&](store::Tx& tx) { return tx.load(board); });
  CHECK(load.columns.at(task.status) == 1);
  CHECK(!load.columns.contains("doing"));
}
