#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "os/processes/mutex.hpp"
#include "store/attachments/attachment_directory.hpp"
#include "store/engine/index_opener.hpp"
#include "store/engine/writer/readers.hpp"
#include "store/engine/writer/writer.hpp"
#include "store/markdown/files/index_place.hpp"
#include "store/markdown/sync/board_mirror.hpp"

namespace andon::store::markdown {

/// A board that is a directory of Markdown files. Any number of processes may have it open. A unit of work
/// holds the board's lock, and a read brings the index up to date first. When the index cannot be written (a
/// full or read-only disk, a directory of another user), the files are read into an index in memory. A
/// directory without a `config.yml` has no board until one is added.
class MarkdownStore final : public Store {
 public:
  /// Warnings are reported on the thread that found them. The opener and the clock are not owned. Throws
  /// StoreError when the directory cannot be used.
  MarkdownStore(std::filesystem::path const& root, engine::OnFatal on_fatal, OnWarning on_warning,
                engine::IndexOpener const& indexes, os::Clock const& clock = os::kSystemClock);
  ~MarkdownStore() override;

  void submit(Work work, Done done, Milliseconds patience, UnitKind kind) override;
  void read(std::function<void(Tx&)> const& work) override;
  void on_commit(std::function<void(core::EventSeq last_seq)> listener) override;
  std::string incarnation() override;
  AttachmentFiles* attachment_files() override { return &attachments_; }
  WriterTimes& writer_times() override { return times_; }
  void close() override;

 private:
  using Reading = std::function<void(engine::Unit&)>;

  /// The index beside the files.
  struct Indexed {
    explicit Indexed(MarkdownStore& store);
    BoardMirror mirror;   ///< used by the writer
    BoardMirror reading;  ///< used by readers; it holds no changing state
    IndexPlace const place;
    engine::Readers readers;
  };
  /// An index in memory, for a board that cannot be written.
  struct InMemory {
    explicit InMemory(MarkdownStore& store);
    BoardMirror mirror;
    engine::Writer writer;  ///< writes the index only, not the files
  };

  /// Returns the part and opens it when it is first needed.
  Indexed& indexed();
  InMemory& in_memory();
  engine::Writer& writer();
  void check_open() const REQUIRES(mutex_);
  std::shared_ptr<engine::Driver> open_index(IndexPlace const& place);
  void put_aside(std::filesystem::path const& index);
  void refresh();
  void read_indexed(Reading const& work);
  bool try_to_read(Reading const& work);
  void read_locked(Reading const& work);
  void read_in_memory(Reading const& work);
  void tell_problems(engine::FileTable& files);

  AttachmentDirectory attachments_;  ///< beneath the directory of the board
  engine::IndexOpener const& indexes_;
  os::Clock const& clock_;
  engine::OnFatal on_fatal_;
  Warnings warnings_;
  WriterTimes times_;
  os::Mutex mutex_;
  std::unique_ptr<Indexed> indexed_ GUARDED_BY(mutex_);
  std::unique_ptr<InMemory> in_memory_ GUARDED_BY(mutex_);
  std::unique_ptr<engine::Writer> writer_ GUARDED_BY(mutex_);
  /// For the writer when it is opened.
  std::vector<std::function<void(core::EventSeq)>> listeners_ GUARDED_BY(mutex_);
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace andon::store::markdown
