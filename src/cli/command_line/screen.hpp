#pragma once

#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "cli/command_line/environment.hpp"
#include "cli/command_line/table.hpp"

namespace andon::cli {

enum class Format { table, compact, json };
/// The format that ANDON_OUTPUT, or else KANBAN_OUTPUT, names. Unknown words are ignored.
Format default_format(Environment const& env);

/// The output for answers, messages and refusals, in the format that was asked for.
class Screen {
 public:
  Screen(Environment const& env, Format format, bool colour, bool quiet)
      : env_(env), format_(format), colour_(colour), quiet_(quiet) {}

  Format format() const { return format_; }
  bool is_json() const { return format_ == Format::json; }
  bool is_compact() const { return format_ == Format::compact; }

  void print(boost::json::value const& answer);
  void print(std::string_view text);
  /// A message beside the answer, on stderr.
  void tell(std::string_view message);
  /// Prints the refusal where the format wants it; the answer is the exit code.
  int refuse(core::Error const& error);

  /// The text in that colour (an SGR code) on a terminal that wants colours.
  std::string painted(std::string_view text, std::string_view sgr) const;
  /// The table with its head set off where colours are wanted.
  std::string drawn(Table const& table) const;
  bool colour() const { return colour_; }

 private:
  Environment const& env_;
  Format format_;
  bool colour_;
  bool quiet_;
};

/// The object a refusal is in JSON.
boost::json::object error_object(core::Error const& error);

}  // namespace andon::cli
