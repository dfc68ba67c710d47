#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace andon::bridge {

// Texts of people and agents on their way into a message, or from a message into a task.

inline constexpr std::size_t kLongestTitle = 200;
inline constexpr std::size_t kLongestExcerpt = 600;

/// The text without hidden characters and bytes that are not UTF-8, with plain line ends, trimmed.
std::string cleaned(std::string_view text);

/// The text in one line, at most that many characters, cut at a word. Hidden characters are written out.
std::string one_line(std::string_view text, std::size_t most = kLongestTitle);

/// The first lines of a text, at most `kLongestExcerpt` characters. Hidden characters are written out.
std::string excerpt(std::string_view text);

/// A refusal or a reason as a sentence: with a capital letter and a full stop.
std::string sentence(std::string_view text);

/// The title and the brief of a task that a message asks for.
struct TaskText {
  std::string title;
  std::string brief;
};
/// The first line is the title. When it is too long for one, the brief repeats it as a whole.
TaskText task_text(std::string_view message);

}  // namespace andon::bridge
