#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "service/workers/memory.hpp"

namespace andon::runner {

/// Bytes a topic that is added to may have.
inline constexpr std::size_t kMemoryTopicBytes = 16U << 10U;

struct NotedTopic {
  std::string text;
  std::int64_t dropped = 0;
};
/// The topic with the entry at its end and, where the entry `rolls`, without the oldest entries that leave it
/// no room. An entry is an item that begins a line with `- `; what stands before the first one is kept.
core::Result<NotedTopic> with_entry(std::string_view topic, service::MemoryEntry const& entry,
                                    std::size_t limit = kMemoryTopicBytes);

/// Writes it: one writer at a time, and a reader sees all of it or nothing. Folders are made as needed; a
/// link on the way is a `SystemError`.
core::Result<service::MemoryAdded> add_to_file(std::filesystem::path const& directory,
                                               service::MemoryEntry const& entry);

}  // namespace andon::runner
