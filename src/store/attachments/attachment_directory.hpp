#pragma once

#include <filesystem>

#include "store/contract/attachment_files.hpp"

namespace andon::store {

/// Attachments as the files `attachments/TASK/ID/NAME` beneath a directory. In the folder of a board they are
/// `attachments/ID/NAME`, because its tasks get other numbers when the board is attached again.
/// Nothing in them is believed: a link in place of a file or directory is an error.
class AttachmentDirectory final : public AttachmentFiles {
 public:
  enum class Root { database, board };
  explicit AttachmentDirectory(std::filesystem::path root, Root kind = Root::database)
      : root_(std::move(root)), kind_(kind) {}

  std::filesystem::path const& root() const { return root_; }

  void put(AttachmentPlace const& place, std::string_view content) override;
  std::optional<std::string> get(AttachmentPlace const& place, std::size_t most) override;
  void remove(AttachmentPlace const& place) override;
  /// None in the folder of a board.
  OldPlaces old_places(core::TaskId from, core::Instant before, std::size_t most) override;

 private:
  std::filesystem::path const& base_of(AttachmentPlace const& place) const {
    return place.board.empty() ? root_ : place.board;
  }
  std::filesystem::path path_of(AttachmentPlace const& place) const;

  std::filesystem::path const root_;
  Root const kind_;
};

}  // namespace andon::store
