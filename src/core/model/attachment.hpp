#pragma once

#include <cstdint>
#include <string>

#include "core/field.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// The most files of a task, and the most bytes of each and of all.
inline constexpr std::size_t kMostAttachments = 100;
inline constexpr std::int64_t kMostAttachmentBytes = 25LL << 20U;
inline constexpr std::int64_t kMostAttachmentBytesOfTask = 500LL << 20U;

/// A file that belongs to a task. Its content never changes; the task holds only this record of it.
struct Attachment {
  std::string id;    ///< tells its place from those of all other files of the task; hex digits
  std::string name;  ///< unique among the files of the task, whatever the case of its letters
  std::int64_t size = 0;
  std::string type;    ///< media type, found in the content
  std::string sha256;  ///< of the content, as hex digits
  std::string by;      ///< the actor who attached it
  Instant at{};
  bool operator==(Attachment const&) const = default;
};
void describe(auto& field, Attachment const*) {
  field(&Attachment::id, "id", "Tells its place from those of other files", always);
  field(&Attachment::name, "name", "Name of the file", always);
  field(&Attachment::size, "size", "Bytes", always);
  field(&Attachment::type, "type", "Media type, found in the content", always);
  field(&Attachment::sha256, "sha256", "SHA-256 of the content, as hex digits", always);
  field(&Attachment::by, "by", "Who attached it");
  field(&Attachment::at, "at", "When", always);
}

}  // namespace andon::core
