#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/flag.hpp"
#include "core/error.hpp"

namespace andon::cli {

using api::Takes;

/// True or false as pflag spells it (`true`, `T`, `1` …); empty for other text.
std::optional<bool> truth_of(std::string_view text);

/// One switch of a command.
struct Flag {
  std::string name;  ///< without the dashes
  char shorthand = 0;
  Takes takes = Takes::value;
  std::string help;
};

/// The value of a list flag that was given without an item: the list is to be empty.
inline constexpr std::string_view kNoItems = "[]";

/// A flag as it was given; a list flag stands once for every item.
struct GivenFlag {
  std::string name;
  std::string value;  ///< `true` for a flag without a value
};

/// Reads arguments one at a time in the syntax of pflag: `--x=v`, `--x v`, `-x v`, `-xv`, bundled shorthands,
/// `--` ends the flags.
class FlagReader {
 public:
  using Find = std::function<Flag const*(std::string_view name, char shorthand)>;
  FlagReader(std::span<std::string const> arguments, Find find)
      : arguments_(arguments), find_(std::move(find)) {}

  bool at_end() const { return arguments_.empty(); }
  /// Whether the next argument is a word and no flag.
  bool at_word() const;
  std::string const& next() const { return arguments_.front(); }
  std::string take_word();
  /// Whether the next argument is a flag that `find` does not know.
  bool at_unknown_flag() const;
  /// Reads one argument of flags. Refuses what it does not know, as pflag words it.
  core::Result<void> take_flags(std::vector<GivenFlag>& out);
  std::span<std::string const> rest() const { return arguments_; }

 private:
  core::Result<void> take_long(std::string_view text, std::vector<GivenFlag>& out);
  core::Result<void> take_short(std::string_view text, std::vector<GivenFlag>& out);

  std::span<std::string const> arguments_;
  Find find_;
  bool ended_ = false;
};

/// The items of one CSV record (RFC 4180), blanks kept.
core::Result<std::vector<std::string>> split_record(std::string_view text);

/// A mistake in the command line; it has no code of its own.
inline std::unexpected<core::Error> misuse(std::string message) {
  return core::refuse(core::Code::kInternalError, std::move(message));
}

}  // namespace andon::cli
