#include "cli/commands/machine/hook_input.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <map>
#include <vector>

#include "cli/command_line/invocation.hpp"
#include "core/text/names.hpp"
#include "reflect/json.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestInput = 1U << 20U;
constexpr reflect::JsonLimits kInputLimits{64, 200'000};
constexpr std::string_view kSeparator = ";";
/// Words of the shell that a program may follow.
constexpr std::array<std::string_view, 12> kBefore{"if", "then", "elif", "else", "while", "until",
                                                   "do", "!",    "{",    "time", "exec",  "command"};
constexpr std::array<std::string_view, 2> kPrograms{"andon", "kanban-md"};
/// Commands that claim for their caller when no name is given.
constexpr std::array<std::string_view, 3> kClaiming{"claim", "start", "pick"};
/// Tools of the MCP server, behind the name that the client gives to the server.
constexpr std::array<std::string_view, 3> kTools{"__pick_task", "__claim_task", "__kanban_pick"};

bool is_among(auto const& words, std::string_view word) {
  return std::ranges::find(words, word) != std::ranges::end(words);
}

/// The words of lines for the shell, without their quotes. What separates commands is a word of its own: `;`.
/// Nothing is expanded.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  char quote = 0;
  auto const end_word = [&] {
    if (!word.empty()) out.push_back(std::exchange(word, {}));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    char const c = text[i];
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '\\' && i + 1 < text.size()) {
      if (text[++i] != '\n') word += text[i];
    } else if (c == ' ' || c == '\t') {
      end_word();
    } else if (std::string_view{";|&()\n"}.contains(c)) {
      end_word();
      out.emplace_back(kSeparator);
    } else {
      word += c;
    }
  }
  end_word();
  return out;
}

/// `NAME=value` earlier in the line, for `$NAME` and `${NAME}`.
class Assignments {
 public:
  void note(std::string_view word) {
    auto const equals = word.find('=');
    if (equals == 0 || equals == std::string_view::npos || word.starts_with('-')) return;
    values_[std::string{word.substr(0, equals)}] = word.substr(equals + 1);
  }
  std::string value_of(std::string_view word) const {
    if (!word.starts_with('$')) return std::string{word};
    word.remove_prefix(1);
    if (word.starts_with('{') && word.ends_with('}')) word = word.substr(1, word.size() - 2);
    auto const found = values_.find(word);
    return found == values_.end() ? std::string{} : found->second;
  }

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

/// The name behind `--claim`, `--by` or `--as` in the words of one command.
std::optional<std::string> named_in(std::vector<std::string> const& words, std::size_t from, std::size_t to) {
  for (auto i = from; i < to; ++i)
    for (std::string_view const flag : {"--claim", "--by", "--as"}) {
      if (words[i] == flag && i + 1 < to) return words[i + 1];
      if (words[i].starts_with(flag) && words[i].substr(flag.size()).starts_with('='))
        return words[i].substr(flag.size() + 1);
    }
  return std::nullopt;
}

std::optional<ToolClaim> named_claim(std::string name) {
  if (!core::is_name(name)) return std::nullopt;
  return ToolClaim{std::move(name), false};
}

std::optional<ToolClaim> claim_of_tool(std::string_view tool, json::object const& input) {
  if (tool == "Bash") return claim_in_shell_line(text_of(input, "command"));
  if (!std::ranges::any_of(kTools, [&](auto end) { return tool.ends_with(end); })) return std::nullopt;
  for (auto const* field : {"by", "claim"})
    if (auto name = text_of(input, field); !name.empty()) return named_claim(std::move(name));
  return ToolClaim{{}, true};
}

}  // namespace

std::optional<ToolClaim> claim_in_shell_line(std::string_view line) {
  auto const words = words_of(line);
  Assignments assignments;
  std::optional<ToolClaim> out;
  bool at_program = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    assignments.note(words[i]);
    bool const is_program =
        at_program && is_among(kPrograms, std::filesystem::path{words[i]}.filename().native());
    at_program =
        words[i] == kSeparator || (at_program && (words[i].contains('=') || is_among(kBefore, words[i])));
    if (!is_program) continue;
    auto const end = static_cast<std::size_t>(
        std::find(words.begin() + static_cast<std::ptrdiff_t>(i), words.end(), kSeparator) - words.begin());
    if (auto const name = named_in(words, i, end)) {
      if (auto claim = named_claim(assignments.value_of(*name))) out = std::move(claim);
    } else if (i + 1 < end && is_among(kClaiming, words[i + 1])) {
      out = ToolClaim{{}, true};
    }
  }
  return out;
}

std::optional<HookInput> read_hook_input(std::istream& in) {
  std::string text(kLongestInput + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  // The agent waits until its input is taken.
  if (text.size() > kLongestInput) in.ignore(std::numeric_limits<std::streamsize>::max());
  if (text.size() > kLongestInput) return std::nullopt;
  auto const parsed = reflect::parse_json(text, kInputLimits);
  auto const* object = parsed ? parsed->if_object() : nullptr;
  auto const* session = object ? object->if_contains("session_id") : nullptr;
  if (!session || !session->is_string() || session->as_string().empty()) return std::nullopt;
  HookInput out;
  out.session = {session->as_string().data(), session->as_string().size()};
  // Anything but a plain `false` counts as active, so that no agent is held up twice.
  auto const* active = object->if_contains("stop_hook_active");
  out.stop_hook_active = active && *active != false;
  auto const* input = object->if_contains("tool_input");
  if (input && input->is_object())
    out.claim = claim_of_tool(text_of(*object, "tool_name"), input->as_object());
  return out;
}

}  // namespace andon::cli
