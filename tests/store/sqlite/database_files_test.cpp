#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <string>

#include <doctest/doctest.h>

#include "store/contract/store.hpp"
#include "store/contract/unknown_result.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/open.hpp"
#include "support/builders.hpp"
#include "support/scratch.hpp"

using namespace andon;

namespace {

namespace fs = std::filesystem;
constexpr std::chrono::seconds kPatience{5};

/// A store in a file, and the reason for which it would end the process.
class OpenStore {
 public:
  OpenStore() : store_(store::open_store("sqlite:" + file().native(), end())) {
    write([](store::Tx& tx) { tx.add(test::a_board("first")); });
  }
  ~OpenStore() { store_->close(); }
  OpenStore(OpenStore const&) = delete;

  fs::path file() const { return scratch_ / "andon.db"; }
  fs::path log() const { return scratch_ / "andon.db-wal"; }
  fs::path elsewhere() const { return scratch_ / "elsewhere"; }

  void write(std::function<void(store::Tx&)> const& work) {
    store::write(*store_, [&](store::Tx& tx) { return work(tx), store::Outcome::commit; });
  }
  /// Empty when the process would not have ended.
  std::string reason() {
    return reason_.wait_for(kPatience) == std::future_status::ready ? reason_.get() : std::string{};
  }
  bool has_ended() { return reason_.wait_for(std::chrono::seconds{0}) == std::future_status::ready; }
  void close() { store_->close(); }

 private:
  store::OnFatal end() {
    return [this](std::string_view reason) { ended_.set_value(std::string{reason}); };
  }

  test::Scratch scratch_;
  std::promise<std::string> ended_;
  std::future<std::string> reason_ = ended_.get_future();
  std::unique_ptr<store::Store> store_;
};

struct Loss {
  char const* name;
  std::function<void(OpenStore&)> happens;
  bool is_of_log = false;
};

void cut(fs::path const& file) { fs::resize_file(file, 512); }

/// Another file of the same content under the name.
void replace(fs::path const& file, fs::path const& beside) {
  fs::copy_file(file, beside);
  fs::rename(beside, file);
}

std::vector<Loss> losses() {
  return {{"deleted", [](OpenStore& s) { fs::remove(s.file()); }},
          {"moved", [](OpenStore& s) { fs::rename(s.file(), s.elsewhere()); }},
          {"replaced", [](OpenStore& s) { replace(s.file(), s.elsewhere()); }},
          {"cut short", [](OpenStore& s) { cut(s.file()); }},
          {"log deleted", [](OpenStore& s) { fs::remove(s.log()); }, true},
          {"log replaced", [](OpenStore& s) { replace(s.log(), s.elsewhere()); }, true}};
}

}  // namespace

TEST_CASE("DatabaseFiles.ALossIsNoticedWithoutAnyWrite") {
  for (auto const& loss : losses()) {
    CAPTURE(loss.name);
    OpenStore store;
    loss.happens(store);
    auto const reason = store.reason();
    CHECK(reason.contains((loss.is_of_log ? store.log() : store.file()).native() + " was deleted"));
    CHECK(reason.contains("restore a backup"));
  }
}

TEST_CASE("DatabaseFiles.NoWriteIsAcknowledgedAfterALoss") {
  for (auto const& loss : losses()) {
    CAPTURE(loss.name);
    OpenStore store;
    loss.happens(store);
    CHECK_THROWS_AS(store.write([](store::Tx& tx) { tx.add(test::a_board("second")); }), store::StoreError);
    CHECK_THROWS_AS(store.write([](store::Tx& tx) { tx.add(test::a_board("third")); }), store::StoreError);
    CHECK(!store.reason().empty());
  }
}

TEST_CASE("DatabaseFiles.RefusalsSayWhatHappened") {
  OpenStore store;
  fs::remove(store.file());
  CHECK(!store.reason().empty());
  try {
    store.write([](store::Tx& tx) { tx.add(test::a_board("second")); });
    FAIL("it was acknowledged");
  } catch (store::StoreError const& error) {
    CHECK(error.kind() == store::StoreError::Kind::gone);
    CHECK(std::string{error.what()}.starts_with(store.file().native() + " was deleted"));
  }
}

TEST_CASE("DatabaseFiles.ADeletedLogLosesNothing") {
  OpenStore store;
  fs::remove(store.log());
  CHECK(!store.reason().empty());
  auto const again = store.elsewhere();
  fs::copy_file(store.file(), again);
  auto const opened = store::open_store("sqlite:" + again.native());
  opened->read([](store::Tx& tx) { CHECK(tx.board("first") != nullptr); });
  opened->close();
}

TEST_CASE("DatabaseFiles.AFileOfTheSameNameIsNotTouched") {
  OpenStore store;
  fs::remove(store.file());
  std::ofstream{store.file()} << "of somebody else";
  CHECK(!store.reason().empty());
  store.close();
  CHECK(fs::file_size(store.file()) == std::string{"of somebody else"}.size());
}

TEST_CASE("DatabaseFiles.CheckpointsAreNoLoss") {
  OpenStore store;
  std::string const body(100'000, 'x');
  for (int n = 0; n < 300; ++n)
    store.write([&](store::Tx& tx) { tx.set_setting("s" + std::to_string(n), body); });
  store.close();
  CHECK(!store.has_ended());
}
