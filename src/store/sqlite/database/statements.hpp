#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace andon::store::sqlite {

/// A statement of the .sql files: the text below its `-- name:` line, with `{task}` and `{token}` replaced by
/// columns.
struct NamedText {
  std::string name;
  std::string text;
};
std::span<NamedText const> named_texts();

/// The index of a statement in `named_texts`, looked up once. An unknown name is a defect and ends the
/// process at start.
class Query {
 public:
  explicit Query(std::string_view name);
  std::size_t index() const { return index_; }
  std::string const& text() const { return named_texts()[index_].text; }

 private:
  std::size_t index_;
};

}  // namespace andon::store::sqlite
