#include "store/markdown/yaml/lines.hpp"

#include <algorithm>

namespace andon::store::markdown {
namespace {

std::size_t end_of_quotes(std::string_view line, std::size_t at) {
  char const quote = line[at];
  for (auto i = at + 1; i < line.size(); ++i) {
    if (quote == '"' && line[i] == '\\') {
      ++i;
    } else if (line[i] == quote) {
      if (quote == '"' || i + 1 == line.size() || line[i + 1] != '\'') return i + 1;
      ++i;
    }
  }
  return kNowhere;
}

std::size_t end_of_brackets(std::string_view line, std::size_t at) {
  int depth = 0;
  for (auto i = at; i < line.size(); ++i) {
    char const c = line[i];
    bool const opens_item = i > 0 && std::string_view{" ,[{:"}.contains(line[i - 1]);
    if ((c == '"' || c == '\'') && opens_item) {
      i = end_of_quotes(line, i);
      if (i == kNowhere) return kNowhere;
      --i;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && --depth == 0) {
      return i + 1;
    }
  }
  return kNowhere;
}

std::size_t end_of_plain(std::string_view line, std::size_t at) {
  auto const comment = std::min(line.find(" #", at), line.find("\t#", at));
  auto const text = line.substr(0, std::min(comment, line.size()));
  auto const last = text.find_last_not_of(" \t");
  return last == kNowhere || last < at ? at : last + 1;
}

}  // namespace

Line line_at(std::string_view text, std::size_t at) {
  auto const feed = std::min(text.find('\n', at), text.size());
  auto const end = feed > at && text[feed - 1] == '\r' ? feed - 1 : feed;
  return {at, end, std::min(feed + 1, text.size())};
}

std::size_t end_of_value(std::string_view text, std::size_t at) {
  auto const line = text.substr(0, line_at(text, at).end);
  if (at >= line.size()) return at;
  switch (line[at]) {
    case '"':
    case '\'': return end_of_quotes(line, at);
    case '[':
    case '{': return end_of_brackets(line, at);
    case '|':
    case '>': return kNowhere;
    default: return end_of_plain(line, at);
  }
}

}  // namespace andon::store::markdown
