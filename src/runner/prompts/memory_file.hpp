#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "service/workers/memory.hpp"

namespace andon::runner {

/// The most bytes of a topic that receives entries.
inline constexpr std::size_t kMemoryTopicBytes = 16U << 10U;

struct NotedTopic {
  std::string text;
  std::int64_t dropped = 0;
};
/// The topic with the entry at its end. If the entry `rolls`, the oldest entries are dropped to make room. An
/// entry is an item that begins a line with `- `; the text before the first one is kept.
core::Result<NotedTopic> with_entry(std::string_view topic, service::MemoryEntry const& entry,
                                    std::size_t limit = kMemoryTopicBytes);

/// Writes an entry into its file. One writer works at a time, and readers see all of the entry or nothing.
/// Makes missing folders; a link on the path is a `SystemError`.
core::Result<service::MemoryAdded> add_to_file(std::filesystem::path const& directory,
                                               service::MemoryEntry const& entry);

}  // namespace andon::runner
