#pragma once

#include "store/contract/attachment_files.hpp"
#include "store/postgres/connection/connection.hpp"

namespace andon::store::postgres {

/// Attachments as rows of the database, where all servers find them. Each call opens a connection of its own,
/// so that a large content holds up nothing else.
class AttachmentRows final : public AttachmentFiles {
 public:
  /// The settings are not owned.
  explicit AttachmentRows(Settings const& settings) : settings_(settings) {}

  void put(AttachmentPlace const& place, std::string_view content) override;
  std::optional<std::string> get(AttachmentPlace const& place, std::size_t most) override;
  void remove(AttachmentPlace const& place) override;
  OldPlaces old_places(core::TaskId from, core::Instant before, std::size_t most) override;

 private:
  Settings const& settings_;
};

}  // namespace andon::store::postgres
