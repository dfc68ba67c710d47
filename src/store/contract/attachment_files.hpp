#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/id.hpp"
#include "core/time/time.hpp"

namespace andon::store {

/// The place of the content of one attachment. No two attachments ever have one place, so a content that was
/// written there never changes.
struct AttachmentPlace {
  std::filesystem::path board{};  ///< the directory of a board that keeps its tasks in files; else empty
  core::TaskId task = 0;
  std::string id{};    ///< hex digits, of which no two attachments have the same
  std::string name{};  ///< passed `core::check_attachment_name`
  bool operator==(AttachmentPlace const&) const = default;
};

/// The contents of attachments. They are written before the task's record names them and removed after the
/// record is gone, so a crash leaves at most a content that no record names. Thread-safe. Failures are thrown
/// as StoreError.
class AttachmentFiles {
 public:
  virtual ~AttachmentFiles() = default;
  /// Returns when the content is on the disk.
  virtual void put(AttachmentPlace const& place, std::string_view content) = 0;
  /// Nothing where there is no such content, or one of more than `most` bytes.
  virtual std::optional<std::string> get(AttachmentPlace const& place, std::size_t most) = 0;
  /// Does nothing where there is none.
  virtual void remove(AttachmentPlace const& place) = 0;
  /// The places of contents of tasks from that number on, by the number of the task, that were written before
  /// that time. Those of at most `most` tasks, and none of boards that keep their tasks in files.
  struct OldPlaces {
    std::vector<AttachmentPlace> places{};
    core::TaskId next = 0;  ///< where to go on; 0 after the last task
  };
  virtual OldPlaces old_places(core::TaskId from, core::Instant before, std::size_t most) = 0;
};

}  // namespace andon::store
