#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runner/prompts/prompt.hpp"
#include "service/workers/memory.hpp"

namespace andon::runner {

/// The topics of a data directory: Markdown files beneath `memory`. Every worker gets those in `always`. A
/// task with a tag adds `tags/TAG.md`. A worker gets `workers/NAME.md`, to which it adds notes, and the other
/// topics that it names. No name leads out of the directory, not even through a link.
class Memory {
 public:
  explicit Memory(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// The topics for a worker and a task with these tags, each once; at most 64.
  std::vector<MemoryTopic> given(core::Worker const& worker, std::vector<std::string> const& tags) const;

  service::MemoryTopics list(service::MemoryReader const& reader) const;
  /// `NOT_FOUND` for a topic without a file, and for one that the reader does not get.
  core::Result<service::MemoryText> show(service::TopicQuestion const& question) const;
  /// Appends an entry. A topic that receives entries has at most 16 KiB.
  core::Result<service::MemoryAdded> add(service::MemoryEntry const& entry) const;

 private:
  std::vector<std::string> names_for(core::Worker const& worker, std::vector<std::string> const& tags) const;
  std::vector<std::string> visible(service::MemoryReader const& reader) const;

  std::filesystem::path directory_;
};

}  // namespace andon::runner
