#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/id.hpp"

namespace andon::core {

struct Task;

/// The keys under which an index finds the tasks that may be copies of a task. Two near copies share a key
/// with a chance of more than nine in ten, equal tasks share all keys.
using Sketch = std::vector<std::int64_t>;

/// The words by which a task is compared, each as a number. Lists are ordered unless they say otherwise.
struct TaskWords {
  std::vector<std::string> title;  ///< in the order of the title
  std::vector<std::uint64_t> title_set;
  std::vector<std::uint64_t> brief;
  std::vector<std::uint64_t> all;       ///< those of the title and the brief
  std::vector<std::uint64_t> marks;     ///< numbers and names of files in the title
  std::vector<std::string> references;  ///< files and tasks that title, brief and `touches` name
  std::uint64_t text = 0;               ///< equal texts have the same number
  std::optional<TaskId> parent;
};

/// Reads at most 64 KiB of the brief and 2,000 words. The task comes with its body.
TaskWords words_of(Task const& task);
Sketch sketch_of(TaskWords const& words);

enum class Likeness { different, near, equal };

struct Comparison {
  Likeness likeness = Likeness::different;
  int percent = 0;  ///< how many of their words both have, from 0 to 100
};

/// Tasks are different when their titles have different numbers or files, when they name other files or
/// tasks, when they have different parents, or when one title has another word in the place of a word.
Comparison compare(TaskWords const& a, TaskWords const& b);

}  // namespace andon::core
