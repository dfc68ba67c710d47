#include "cli/command_line/flags.hpp"

#include <algorithm>
#include <array>

#include "reflect/json.hpp"

namespace andon::cli {
namespace {

using core::Result;

constexpr std::array<std::string_view, 6> kTrue{"true", "TRUE", "True", "t", "T", "1"};
constexpr std::array<std::string_view, 6> kFalse{"false", "FALSE", "False", "f", "F", "0"};

std::string label(Flag const& flag) {
  return flag.shorthand ? std::string{"-"} + flag.shorthand + ", --" + flag.name : "--" + flag.name;
}

/// The items of a list: a JSON array of texts, otherwise texts with commas between them.
Result<std::vector<std::string>> split_items(std::string_view value) {
  if (value.starts_with('['))
    if (auto items = reflect::read_json<std::vector<std::string>>(value)) return items;
  return split_record(value);
}

Result<void> add(Flag const& flag, std::string_view value, std::vector<GivenFlag>& out) {
  if (flag.takes == Takes::value) {
    out.push_back({flag.name, std::string{value}});
    return {};
  }
  auto const invalid = [&](std::string_view why) {
    return misuse("invalid argument \"" + std::string{value} + "\" for \"" + label(flag) +
                  "\" flag: " + std::string{why});
  };
  if (flag.takes == Takes::nothing) {
    auto const truth = truth_of(value);
    if (!truth) return invalid("must be true or false");
    out.push_back({flag.name, *truth ? "true" : "false"});
    return {};
  }
  auto items = split_items(value);
  if (!items) return invalid(items.error().message);
  if (items->empty() && value.starts_with('[')) out.push_back({flag.name, std::string{kNoItems}});
  for (auto& item : *items) out.push_back({flag.name, std::move(item)});
  return {};
}

}  // namespace

std::optional<bool> truth_of(std::string_view text) {
  if (std::ranges::find(kTrue, text) != kTrue.end()) return true;
  if (std::ranges::find(kFalse, text) != kFalse.end()) return false;
  return std::nullopt;
}

bool FlagReader::at_word() const {
  return !at_end() && (ended_ || next().size() < 2 || next().front() != '-');
}

std::string FlagReader::take_word() {
  auto word = arguments_.front();
  arguments_ = arguments_.subspan(1);
  return word;
}

bool FlagReader::at_unknown_flag() const {
  if (at_end() || at_word() || next() == "--") return false;
  std::string_view const text = next();
  if (text.starts_with("--")) return !find_(text.substr(2, text.find('=') - 2), 0);
  return !find_({}, text[1]);
}

Result<void> FlagReader::take_flags(std::vector<GivenFlag>& out) {
  std::string const text = take_word();
  if (text == "--") {
    ended_ = true;
    return {};
  }
  return text.starts_with("--") ? take_long(std::string_view{text}.substr(2), out)
                                : take_short(std::string_view{text}.substr(1), out);
}

Result<void> FlagReader::take_long(std::string_view text, std::vector<GivenFlag>& out) {
  auto const equals = text.find('=');
  auto const name = text.substr(0, equals);
  auto const* flag = name.empty() ? nullptr : find_(name, 0);
  if (!flag) return misuse("unknown flag: --" + std::string{name});
  if (equals != std::string_view::npos) return add(*flag, text.substr(equals + 1), out);
  if (flag->takes == Takes::nothing) return add(*flag, "true", out);
  if (at_end()) return misuse("flag needs an argument: --" + std::string{name});
  return add(*flag, take_word(), out);
}

Result<void> FlagReader::take_short(std::string_view text, std::vector<GivenFlag>& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto const* flag = find_({}, text[i]);
    if (!flag)
      return misuse("unknown shorthand flag: '" + std::string{text[i]} + "' in -" + std::string{text});
    auto const rest = text.substr(i + 1);
    if (rest.starts_with('=')) return add(*flag, rest.substr(1), out);
    if (flag->takes == Takes::nothing) {
      ANDON_CHECK(add(*flag, "true", out));
      continue;
    }
    if (!rest.empty()) return add(*flag, rest, out);
    if (at_end())
      return misuse("flag needs an argument: '" + std::string{text[i]} + "' in -" + std::string{text});
    return add(*flag, take_word(), out);
  }
  return {};
}

Result<std::vector<std::string>> split_record(std::string_view text) {
  std::vector<std::string> items;
  if (text.empty()) return items;
  std::size_t at = 0;
  for (;;) {
    std::string item;
    if (at < text.size() && text[at] == '"') {
      for (++at;; ++at) {
        if (at == text.size()) return misuse("a quote is not closed");
        if (text[at] == '"' && (at + 1 == text.size() || text[at + 1] != '"')) break;
        if (text[at] == '"') ++at;
        item += text[at];
      }
      ++at;
      if (at < text.size() && text[at] != ',') return misuse("text stands behind a closing quote");
    } else {
      auto const end = std::min(text.find(',', at), text.size());
      item = text.substr(at, end - at);
      if (item.contains('"')) return misuse("a quote stands inside an item");
      at = end;
    }
    items.push_back(std::move(item));
    if (at == text.size()) return items;
    ++at;
  }
}

}  // namespace andon::cli
