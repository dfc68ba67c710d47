#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runner/prompts/prompt.hpp"
#include "service/workers/memory.hpp"

namespace andon::runner {

/// The topics of a data directory: Markdown files beneath its `memory`. Those in `always` are given to
/// everybody, `tags/TAG.md` with every task of that tag, `workers/NAME.md` to that worker, who adds to it,
/// and any other to the workers that name it. Names never lead out of the directory, not through a link
/// either.
class Memory {
 public:
  explicit Memory(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// What the worker is given with a task of these tags, each topic once; at most 64 topics.
  std::vector<MemoryTopic> given(core::Worker const& worker, std::vector<std::string> const& tags) const;

  service::MemoryTopics list(service::MemoryReader const& reader) const;
  /// `NOT_FOUND` for a topic without a file, and for one the reader was not given.
  core::Result<service::MemoryText> show(service::TopicQuestion const& question) const;
  /// Puts an entry at the end. A topic that is added to has at most 16 KiB.
  core::Result<service::MemoryAdded> add(service::MemoryEntry const& entry) const;

 private:
  std::vector<std::string> names_for(core::Worker const& worker, std::vector<std::string> const& tags) const;
  std::vector<std::string> visible(service::MemoryReader const& reader) const;

  std::filesystem::path directory_;
};

}  // namespace andon::runner
