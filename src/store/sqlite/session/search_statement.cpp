#include "store/sqlite/session/search_statement.hpp"

#include <algorithm>
#include <array>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "core/text/names.hpp"
#include "store/sql/database/statements.hpp"
#include "store/sqlite/session/search_words.hpp"

namespace andon::store::sqlite {
namespace {

using core::SearchCondition;
using core::SearchField;
using sql::Query;

Query const kHits{"search_hits"};
Query const kSearchOfTask{"search_of_task"};
Query const kFound{"search_found"};
Query const kByWords{"search_by_words"};
Query const kOne{"search_one"};
Query const kOrderByWords{"search_order_by_words"};
Query const kHas{"search_has"};
Query const kNotArchived{"search_not_archived"};
/// In the order of `SearchField`.
std::array<Query, core::kSearchFieldNames.size()> const kFields{
    Query{"search_status"},     Query{"search_stage"},    Query{"search_tag"},  Query{"search_class"},
    Query{"search_priority"},   Query{"search_assignee"}, Query{"search_role"}, Query{"search_board"},
    Query{"search_claimed_by"}, Query{"search_parent"},   Query{"search_is"}};

constexpr std::size_t kFirstValue = 3;

std::string const& text_of(Query const& part) { return part.text(sql::Dialect::sqlite); }

std::string numbered(Query const& part, std::size_t number) {
  constexpr std::string_view kSlot = "{n}";
  auto text = text_of(part);
  auto const digits = std::to_string(number);
  for (auto at = text.find(kSlot); at != std::string::npos; at = text.find(kSlot, at + digits.size()))
    text.replace(at, kSlot.size(), digits);
  return text;
}

std::string value_list(std::vector<std::string> const& values) {
  boost::json::array list;
  for (auto const& value : values) list.emplace_back(value);
  return boost::json::serialize(list);
}

bool asks_for_archived(SearchCondition const& condition) {
  bool const can = condition.field == SearchField::is || condition.field == SearchField::stage ||
                   condition.field == SearchField::status;
  return can && !condition.without && std::ranges::any_of(condition.values, [](auto const& value) {
           return core::same_name(value, "archived");
         });
}

class Builder {
 public:
  explicit Builder(core::SearchQuery const& query, std::size_t given) : query_(query), given_(given) {}

  SearchStatement ranked(std::function<bool(std::string const&)> const& is_common) {
    for (auto const& words : query_.words) add_words(words, is_common);
    if (found_.empty()) return {};
    add_conditions();
    auto const limit = std::to_string(given_ + out_.values.size());
    auto const skip = std::to_string(given_ + out_.values.size() + 1);
    out_.sql = select() + " LIMIT $" + limit + " OFFSET $" + skip;
    return std::move(out_);
  }

  SearchStatement check() {
    for (auto const& words : query_.words) {
      auto const expression = search_phrase(words.text);
      if (expression.empty()) continue;
      if (words.without) add_condition(numbered(kHas, parameter(expression)), true);
      if (!words.without) add_snippet(expression);
    }
    add_conditions();
    out_.sql = numbered(kOne, given_ - 1) + conditions_;
    return std::move(out_);
  }

 private:
  std::size_t parameter(std::string value) {
    out_.values.push_back(std::move(value));
    return given_ + out_.values.size() - 1;
  }

  void add_condition(std::string const& text, bool without) {
    conditions_ += without ? "AND NOT coalesce((" + text + "), 0)\n" : "AND (" + text + ")\n";
  }

  void add_conditions() {
    for (auto const& condition : query_.conditions)
      add_condition(numbered(kFields[static_cast<std::size_t>(condition.field)],
                             parameter(value_list(condition.values))),
                    condition.without);
    if (!std::ranges::any_of(query_.conditions, asks_for_archived)) conditions_ += text_of(kNotArchived);
  }

  void add_snippet(std::string const& expression) {
    out_.words += (out_.words.empty() ? "" : " OR ") + expression;
  }

  void add_words(core::SearchWords const& words, std::function<bool(std::string const&)> const& is_common) {
    auto const expression = search_phrase(words.text);
    if (expression.empty()) return;
    auto const number = parameter(expression);
    if (!words.without) add_snippet(expression);
    if (words.without || is_common(expression)) return add_condition(numbered(kHas, number), words.without);
    hits_ += (hits_.empty() ? "" : ", ") + numbered(kHits, number);
    found_ += (found_.empty() ? "" : "UNION ALL ") + numbered(kSearchOfTask, number);
    ++count_;
  }

  std::string select() const {
    return "WITH " + hits_ + ", found AS (" + text_of(kFound) + "(" + found_ +
           ") GROUP BY task HAVING count(*) = " + std::to_string(count_) + ")\n" + text_of(kByWords) +
           conditions_ + text_of(kOrderByWords);
  }

  core::SearchQuery const& query_;
  std::size_t given_;  ///< the number of the first parameter that is a value
  SearchStatement out_;
  std::string hits_, found_, conditions_;
  int count_ = 0;
};

}  // namespace

SearchStatement search_statement(core::SearchQuery const& query,
                                 std::function<bool(std::string const& words)> const& is_common) {
  return Builder{query, kFirstValue}.ranked(is_common);
}

SearchStatement check_statement(core::SearchQuery const& query) {
  return Builder{query, kFirstValue + 1}.check();
}

bool has_words(core::SearchQuery const& query) {
  return std::ranges::any_of(query.words,
                             [](auto const& words) { return !search_phrase(words.text).empty(); });
}

std::vector<std::string> words_of(core::SearchQuery const& query) {
  std::vector<std::string> out;
  for (auto const& words : query.words)
    if (auto expression = search_phrase(words.text); !expression.empty() && !words.without)
      out.push_back(std::move(expression));
  return out;
}

}  // namespace andon::store::sqlite
