#include "store/markdown/markdown_store.hpp"

#include <cerrno>

#include "os/system_error.hpp"
#include "store/contract/store_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/markdown/sync/store_error.hpp"

namespace andon::store::markdown {
namespace {

using engine::Unit;

/// How often a read is tried. A read that finds changed files brings the index up to date first; other
/// programs may change the files again meanwhile.
constexpr int kAttempts = 5;

/// Whether the index may be replaced: only a damaged one. An index of a newer version is still of use to that
/// version.
bool is_worth_nothing(StoreError const& error) { return error.kind() == StoreError::Kind::damaged; }

/// A name for a broken index that no earlier broken index has.
std::string free_name_beside(std::string const& index) {
  auto const base = index + ".broken";
  auto name = base;
  for (int n = 2; std::filesystem::exists(name); ++n) name = base + "-" + std::to_string(n);
  return name;
}

bool cannot_be_written(StoreError const& error) {
  return error.kind() == StoreError::Kind::no_space || error.kind() == StoreError::Kind::read_only;
}

}  // namespace

MarkdownStore::Indexed::Indexed(MarkdownStore& store)
    : mirror(store.attachments_.root(), store.clock_, store.warnings_),
      reading(store.attachments_.root(), store.clock_, store.warnings_),
      place(reading.folder().own().path()),
      readers(store.indexes_.open_to_read(place.file()), &reading) {
  place.refuse_network();
}

MarkdownStore::InMemory::InMemory(MarkdownStore& store)
    : mirror(store.attachments_.root(), store.clock_, store.warnings_, Numbering::same(), Access::read),
      writer(store.indexes_.in_memory(), store.on_fatal_, store.times_, &mirror) {}

MarkdownStore::MarkdownStore(std::filesystem::path const& root, engine::OnFatal on_fatal,
                             OnWarning on_warning, engine::IndexOpener const& indexes, os::Clock const& clock)
    : attachments_(root, AttachmentDirectory::Root::board),
      indexes_(indexes),
      clock_(clock),
      on_fatal_(std::move(on_fatal)),
      warnings_(std::move(on_warning)) {
  try {
    indexed();
  } catch (StoreError const& error) {
    if (!cannot_be_written(error)) throw;
  }
}

MarkdownStore::~MarkdownStore() { close(); }

MarkdownStore::Indexed& MarkdownStore::indexed() try {
  os::MutexLock const lock{mutex_};
  if (!indexed_) indexed_ = std::make_unique<Indexed>(*this);
  return *indexed_;
} catch (os::SystemError const& error) {
  throw store_error(error);
}

/// Errors of the files become StoreError{unusable}, so that they do not look like an index that cannot be
/// written.
MarkdownStore::InMemory& MarkdownStore::in_memory() try {
  os::MutexLock const lock{mutex_};
  check_open();
  if (!in_memory_) in_memory_ = std::make_unique<InMemory>(*this);
  return *in_memory_;
} catch (os::SystemError const& error) {
  throw StoreError{StoreError::Kind::unusable, error.what()};
}

void MarkdownStore::check_open() const {
  if (closed_) throw StoreError{StoreError::Kind::other, "the store is closed"};
}

/// Opens or creates the index under the board's lock, because another process may create it at this moment.
std::shared_ptr<engine::Driver> MarkdownStore::open_index(IndexPlace const& place) {
  auto const& path = place.file();
  auto const lock = BoardLock{attachments_.root() / ".lock"}.take();
  place.prepare(indexes_.endings());
  for (bool again = false;; again = true) try {
      return indexes_.open(path, clock_.now());
    } catch (StoreError const& error) {
      if (again || !is_worth_nothing(error)) throw;
      put_aside(path);
      warnings_.tell(std::string{"the index was made anew: "} + error.what());
    }
}

void MarkdownStore::put_aside(std::filesystem::path const& index) {
  auto const aside = free_name_beside(index.native());
  for (auto const end : indexes_.endings()) {
    std::error_code not_there;
    std::filesystem::rename(index.native() + std::string{end}, aside + std::string{end}, not_there);
  }
}

engine::Writer& MarkdownStore::writer() try {
  auto& index = indexed();
  os::MutexLock const lock{mutex_};
  check_open();
  if (!writer_) {
    writer_ = std::make_unique<engine::Writer>(open_index(index.place), on_fatal_, times_, &index.mirror);
    for (auto& listener : listeners_) writer_->on_commit(std::move(listener));
    listeners_.clear();
  }
  return *writer_;
} catch (os::SystemError const& error) {
  throw store_error(error);
}

void MarkdownStore::submit(Work work, Done done, Milliseconds patience, UnitKind kind) {
  engine::Writer* open = nullptr;
  try {
    open = &writer();
  } catch (StoreError const&) {
    return done(std::current_exception());
  }
  open->submit(
      [this, work = std::move(work)](Tx& tx) mutable {
        tell_problems(tx.files());
        return work(tx);
      },
      std::move(done), patience, kind, engine::Rights::write);
}

void MarkdownStore::refresh() {
  write(*this, [](Tx&) { return Outcome::rollback; });
}

bool MarkdownStore::try_to_read(Reading const& work) {
  auto& index = indexed();
  bool current = false;
  try {
    auto const read_if_current = [&](Unit& tx) {
      {
        os::MutexLock const lock{mutex_};
        if (!index.reading.is_current(tx.files())) return;
      }
      work(tx);
      current = true;
    };
    index.readers.run(read_if_current, [this] { engine::update_search_index(*this); });
  } catch (engine::Outdated const& outdated) {
    index.mirror.suspect(outdated.file);
    return false;
  } catch (os::SystemError const& error) {
    if (error.number() == ENOENT) return false;  // git may have removed the directory to create it again
    throw store_error(error);
  }
  return current;
}

void MarkdownStore::read_indexed(Reading const& work) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    bool const is_indexed = attempt > 0 || indexed().place.is_there();
    try {
      if (is_indexed && try_to_read(work)) return;
    } catch (StoreError const&) {
      // The process that was creating the index may have been killed.
      if (attempt > 0) throw;
    }
    refresh();
  }
  read_locked(work);
}

/// Reads under the board's lock, because other programs write all the time.
void MarkdownStore::read_locked(Reading const& work) {
  write(*this, [&](Tx& tx) {
    work(tx);
    return Outcome::rollback;
  });
}

void MarkdownStore::read_in_memory(Reading const& work) try {
  in_memory().writer.read([&](Tx& tx) { work(tx); });
} catch (StoreError const& error) {
  if (!cannot_be_written(error)) throw;
  throw StoreError{StoreError::Kind::unusable, error.what()};
}

void MarkdownStore::read(std::function<void(Tx&)> const& work) {
  auto const tell_and_read = [&](Unit& tx) {
    tell_problems(tx.files());
    work(tx);
  };
  try {
    return read_indexed(tell_and_read);
  } catch (StoreError const& error) {
    if (!cannot_be_written(error)) throw;
    std::string const why = error.kind() == StoreError::Kind::no_space ? "the disk is full" : error.what();
    warnings_.tell("the board cannot be written (" + why +
                   "); it is shown from its files alone, without history and runs");
  }
  read_in_memory(tell_and_read);
}

void MarkdownStore::tell_problems(engine::FileTable& files) {
  for (auto const& [name, problem] : FileIndex{files}.problems())
    warnings_.tell("skipping malformed file " + name + ": " + problem);
}

void MarkdownStore::on_commit(std::function<void(core::EventSeq)> listener) {
  os::MutexLock const lock{mutex_};
  if (writer_) return writer_->on_commit(std::move(listener));
  listeners_.push_back(std::move(listener));
}

std::string MarkdownStore::incarnation() {
  std::string out;
  read([&](Tx& tx) { out = tx.incarnation(); });
  return out;
}

void MarkdownStore::close() {
  std::unique_ptr<engine::Writer> last;
  std::unique_ptr<InMemory> last_in_memory;
  Indexed* index = nullptr;  // stays, because reads may still use it
  {
    os::MutexLock const lock{mutex_};
    closed_ = true;
    last = std::move(writer_);
    last_in_memory = std::move(in_memory_);
    index = indexed_.get();
  }
  if (index) index->readers.close();
  if (last) last->close();
  if (last_in_memory) last_in_memory->writer.close();
}

}  // namespace andon::store::markdown
