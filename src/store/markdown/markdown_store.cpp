#include "store/markdown/markdown_store.hpp"

#include <future>

#include "os/system_error.hpp"
#include "store/markdown/catching_up.hpp"
#include "store/sqlite/schema.hpp"

namespace andon::store::markdown {
namespace {

using sqlite::Connection;
using sqlite::Mode;
using sqlite::Query;
using sqlite::Transaction;

Query const kIncarnation{"incarnation"};

/// Reads that find the files changed bring the index up to date; others may change them again meanwhile.
constexpr int kAttempts = 5;

bool is_worth_nothing(StoreError const& error) {
  return error.kind() == StoreError::Kind::damaged || error.kind() == StoreError::Kind::newer_schema;
}

void put_aside(std::filesystem::path const& index) {
  for (auto const* end : {"", "-wal", "-shm"}) {
    std::error_code not_there;
    std::filesystem::rename(index.native() + end, index.native() + ".broken" + end, not_there);
  }
}

}  // namespace

MarkdownStore::MarkdownStore(std::filesystem::path const& root, sqlite::OnFatal on_fatal,
                             OnWarning on_warning) try
    : root_(root),
      on_fatal_(std::move(on_fatal)),
      warnings_(std::move(on_warning)),
      mirror_(root, clock_, warnings_),
      reading_(root, clock_, warnings_),
      index_(reading_.folder().own().path()),
      readers_(index_.file().native(), &reading_) {
} catch (os::SystemError const& error) {
  throw store_error(error);
}

MarkdownStore::~MarkdownStore() { close(); }

/// Others may make the index at this moment.
std::unique_ptr<Connection> MarkdownStore::open_index() {
  auto const& path = index_.file();
  auto const lock = os::FileLock::take_unsigned(root_ / ".lock");
  index_.prepare();
  for (bool again = false;; again = true) try {
      auto db = std::make_unique<Connection>(path.native(), Mode::owner);
      if (db->value_of("PRAGMA journal_mode") != "wal")
        throw StoreError{StoreError::Kind::other,
                         "the file system of " + root_.native() + " cannot hold the board's index"};
      sqlite::migrate(*db);
      return db;
    } catch (StoreError const& error) {
      if (again || !is_worth_nothing(error)) throw;
      put_aside(path);
      warnings_.tell(std::string{"the index was made anew: "} + error.what());
    }
}

sqlite::Writer& MarkdownStore::writer() try {
  std::scoped_lock const lock{mutex_};
  if (closed_) throw StoreError{StoreError::Kind::other, "the store is closed"};
  if (!writer_) {
    writer_ = std::make_unique<sqlite::Writer>(open_index(), on_fatal_, &mirror_);
    for (auto& listener : listeners_) writer_->on_commit(std::move(listener));
    listeners_.clear();
  }
  return *writer_;
} catch (os::SystemError const& error) {
  throw store_error(error);
}

void MarkdownStore::submit(Work work, Done done, Milliseconds patience) {
  sqlite::Writer* open = nullptr;
  try {
    open = &writer();
  } catch (StoreError const&) {
    return done(std::current_exception());
  }
  open->submit(
      [this, work = std::move(work)](Tx& tx) mutable {
        tell_problems(static_cast<Transaction&>(tx).connection());
        return work(tx);
      },
      std::move(done), patience, Transaction::Rights::write);
}

void MarkdownStore::refresh() {
  write(*this, [](Tx&) { return Verdict::discard; });
}

bool MarkdownStore::try_to_read(std::function<void(Transaction&)> const& work) {
  bool current = false;
  try {
    auto const read_if_current = [&](Transaction& tx) {
      {
        std::scoped_lock const lock{mutex_};
        if (!reading_.is_current(tx.connection())) return;
      }
      tell_problems(tx.connection());
      work(tx);
      current = true;
    };
    readers_.run(read_if_current, [this] { write(*this, sqlite::learn_search); });
  } catch (sqlite::Outdated const&) {
    return false;
  } catch (os::SystemError const& error) {
    throw store_error(error);
  }
  return current;
}

void MarkdownStore::read(std::function<void(Tx&)> const& work) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    bool const is_indexed = attempt > 0 || index_.is_there();
    try {
      if (is_indexed && try_to_read([&](Transaction& tx) { work(tx); })) return;
    } catch (StoreError const&) {
      // Whoever was making the index may have been killed.
      if (attempt > 0) throw;
    }
    refresh();
  }
  throw StoreError{StoreError::Kind::busy, "the files change all the time; try again"};
}

void MarkdownStore::tell_problems(Connection& db) {
  for (auto const& [name, problem] : FileIndex{db}.problems())
    warnings_.tell("skipping malformed file " + name + ": " + problem);
}

void MarkdownStore::on_commit(std::function<void(std::int64_t)> listener) {
  std::scoped_lock const lock{mutex_};
  if (writer_) return writer_->on_commit(std::move(listener));
  listeners_.push_back(std::move(listener));
}

std::string MarkdownStore::incarnation() {
  std::string out;
  auto const look = [&](Transaction& tx) {
    auto row = tx.connection().query(kIncarnation);
    if (row.step()) out = row.text(0);
  };
  if (!index_.is_there()) refresh();
  try {
    readers_.run(look);
  } catch (StoreError const&) {
    refresh();
    readers_.run(look);
  }
  return out;
}

void MarkdownStore::close() {
  std::unique_ptr<sqlite::Writer> last;
  {
    std::scoped_lock const lock{mutex_};
    closed_ = true;
    last = std::move(writer_);
  }
  readers_.close();
  if (last) last->close();
}

}  // namespace andon::store::markdown
