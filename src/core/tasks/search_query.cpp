#include "core/tasks/search_query.hpp"

#include <algorithm>

#include "core/model/stage.hpp"
#include "core/text/names.hpp"

namespace andon::core {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

template <class Names>
std::string listed(Names const& names) {
  std::string out;
  for (auto const name : names) out.append(out.empty() ? "" : ", ").append(name);
  return out;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<SearchQuery> query() {
    for (skip_blanks(); !at_end(); skip_blanks()) ANDON_CHECK(part());
    if (query_.words.empty() && query_.conditions.empty())
      return refuse(Code::kInvalidInput, "\"q\" must hold at least one word or condition", "q");
    return std::move(query_);
  }

 private:
  bool at_end() const { return at_ == text_.size(); }
  void skip_blanks() {
    while (!at_end() && is_blank(text_[at_])) ++at_;
  }
  /// Counted in characters, as a person would.
  std::int64_t position(std::size_t byte) const {
    return static_cast<std::int64_t>(length_in_characters(text_.substr(0, byte))) + 1;
  }

  Result<void> part() {
    start_ = at_;
    bool const without = text_[at_] == '-';
    if (without) ++at_;
    if (at_end() || is_blank(text_[at_]))
      return refuse_search(Code::kInvalidInput, "\"-\" must stand before a word or a condition", "",
                           position(start_));
    if (text_[at_] == '"') return phrase(without);
    auto const word = bare_word();
    auto const colon = word.find(':');
    if (colon == std::string_view::npos || word.substr(colon + 1).starts_with('/')) {
      at_ += word.size();
      query_.words.push_back({std::string{word}, false, without});
      return {};
    }
    return condition(word.substr(0, colon), without);
  }

  std::string_view bare_word() const {
    auto end = at_;
    while (end < text_.size() && !is_blank(text_[end]) && text_[end] != '"') ++end;
    return text_.substr(at_, end - at_);
  }

  Result<std::string> quoted() {
    auto const open = at_;
    auto const close = text_.find('"', open + 1);
    if (close == std::string_view::npos)
      return refuse_search(Code::kInvalidInput, "the quotation mark is not closed", "", position(open));
    at_ = close + 1;
    return std::string{text_.substr(open + 1, close - open - 1)};
  }

  Result<void> phrase(bool without) {
    ANDON_TRY(auto text, quoted());
    query_.words.push_back({std::move(text), true, without});
    return {};
  }

  Result<void> condition(std::string_view name, bool without) {
    auto const found =
        std::ranges::find_if(kSearchFieldNames, [&](auto field) { return same_name(field, name); });
    if (found == kSearchFieldNames.end())
      return refuse_search(Code::kInvalidInput,
                           "there is no search field \"" + std::string{name} + "\"; there are " +
                               listed(kSearchFieldNames) + "; to search for the text itself quote it",
                           name, position(start_));
    at_ += name.size() + 1;
    SearchCondition condition{
        static_cast<SearchField>(found - kSearchFieldNames.begin()), {}, without, position(start_)};
    do {
      ANDON_TRY(auto value, next_value());
      if (value.empty())
        return refuse_search(Code::kInvalidInput, "\"" + std::string{name} + ":\" needs a value", name,
                             position(at_));
      ANDON_CHECK(check_value(condition, value));
      condition.values.push_back(std::move(value));
    } while (takes_comma());
    query_.conditions.push_back(std::move(condition));
    return {};
  }

  Result<std::string> next_value() {
    if (!at_end() && text_[at_] == '"') return quoted();
    auto const start = at_;
    while (!at_end() && !is_blank(text_[at_]) && text_[at_] != ',' && text_[at_] != '"') ++at_;
    return std::string{text_.substr(start, at_ - start)};
  }

  bool takes_comma() {
    if (at_end() || text_[at_] != ',') return false;
    ++at_;
    return true;
  }

  static Result<void> check_value(SearchCondition const& condition, std::string const& value) {
    if (condition.field == SearchField::is &&
        std::ranges::find(kSearchStates, std::string_view{value}) == kSearchStates.end())
      return refuse_search(Code::kInvalidInput,
                           "a task cannot be \"" + value + "\"; \"is:\" takes " + listed(kSearchStates), "is",
                           condition.position);
    if (condition.field == SearchField::stage && !parse_stage(value))
      return refuse_search(Code::kInvalidInput,
                           "there is no stage \"" + value + "\"; there are " + listed(kStageNames), "stage",
                           condition.position);
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
  SearchQuery query_;
};

}  // namespace

std::string_view to_text(SearchField field) { return kSearchFieldNames[static_cast<std::size_t>(field)]; }

std::unexpected<Error> refuse_search(Code code, std::string message, std::string_view field,
                                     std::int64_t position) {
  auto error =
      Error{code, std::move(message) + " (at position " + std::to_string(position) + ")", "q", {}, {}}.with(
          "position", position);
  if (!field.empty()) error.details.emplace_back("field", std::string{field});
  return refuse(std::move(error));
}

Result<SearchQuery> parse_search(std::string_view text) { return Reader{text}.query(); }

}  // namespace andon::core
