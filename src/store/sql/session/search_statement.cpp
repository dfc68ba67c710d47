#include "store/sql/session/search_statement.hpp"

#include <algorithm>
#include <array>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "core/text/names.hpp"

namespace andon::store::sql {
namespace {

using core::SearchCondition;
using core::SearchField;

Query const kHits{"search_hits"};
Query const kSearchOfTask{"search_of_task"};
Query const kFound{"search_found"};
Query const kByWords{"search_by_words"};
Query const kCheck{"search_check"};
Query const kOrderByWords{"search_order_by_words"};
Query const kHas{"search_has"};
Query const kNotArchived{"search_not_archived"};
/// In the order of `SearchField`.
std::array<Query, core::kSearchFieldNames.size()> const kFields{
    Query{"search_status"},     Query{"search_stage"},    Query{"search_tag"},  Query{"search_class"},
    Query{"search_priority"},   Query{"search_assignee"}, Query{"search_role"}, Query{"search_board"},
    Query{"search_claimed_by"}, Query{"search_parent"},   Query{"search_is"}};

constexpr std::size_t kFirstValue = 3;

/// The part with the number of a parameter in each place for one.
std::string with_number(std::string text, std::size_t number) {
  auto const digits = std::to_string(number);
  for (auto at = text.find('?'); at != std::string::npos; at = text.find('?', at + digits.size()))
    text.replace(at, 1, digits);
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
  Builder(WordSearch const& by, core::SearchQuery const& query, std::size_t given)
      : by_(by), query_(query), given_(given) {}

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
    for (auto const& words : query_.words)
      if (auto expression = by_.phrase(words.text); words.without && !expression.empty())
        add_condition(kHas, parameter(std::move(expression)), true);
    add_conditions();
    out_.sql = text_of(kCheck) + conditions_;
    return std::move(out_);
  }

 private:
  std::string const& text_of(Query const& part) const { return part.text(by_.dialect); }

  std::size_t parameter(std::string value) {
    out_.values.push_back(std::move(value));
    return given_ + out_.values.size() - 1;
  }

  void add_condition(Query const& part, std::size_t number, bool without) {
    conditions_ += "AND (" + with_number(text_of(part), number) + (without ? ") IS NOT TRUE\n" : ")\n");
  }

  void add_conditions() {
    for (auto const& condition : query_.conditions)
      add_condition(kFields[static_cast<std::size_t>(condition.field)],
                    parameter(value_list(condition.values)), condition.without);
    if (!std::ranges::any_of(query_.conditions, asks_for_archived)) conditions_ += text_of(kNotArchived);
  }

  void add_words(core::SearchWords const& words, std::function<bool(std::string const&)> const& is_common) {
    auto const expression = by_.phrase(words.text);
    if (expression.empty()) return;
    auto const number = parameter(expression);
    if (words.without || is_common(expression)) return add_condition(kHas, number, words.without);
    hits_ += (hits_.empty() ? "" : ", ") + with_number(text_of(kHits), number);
    found_ += (found_.empty() ? "" : "UNION ALL ") + with_number(text_of(kSearchOfTask), number);
    ++count_;
  }

  std::string select() const {
    return "WITH " + hits_ + ", found AS (" + text_of(kFound) + "(" + found_ +
           ") AS hit GROUP BY task HAVING count(*) = " + std::to_string(count_) + ")\n" + text_of(kByWords) +
           conditions_ + text_of(kOrderByWords);
  }

  WordSearch const& by_;
  core::SearchQuery const& query_;
  std::size_t given_;  ///< the number of the first parameter that is a value
  SearchStatement out_;
  std::string hits_, found_, conditions_;
  int count_ = 0;
};

}  // namespace

SearchStatement search_statement(WordSearch const& by, core::SearchQuery const& query,
                                 std::function<bool(std::string const& words)> const& is_common) {
  return Builder{by, query, kFirstValue}.ranked(is_common);
}

SearchStatement check_statement(WordSearch const& by, core::SearchQuery const& query) {
  return Builder{by, query, kFirstValue + 1}.check();
}

bool has_words(WordSearch const& by, core::SearchQuery const& query) {
  return std::ranges::any_of(query.words, [&](auto const& words) { return !by.phrase(words.text).empty(); });
}

std::vector<std::string> words_of(WordSearch const& by, core::SearchQuery const& query) {
  std::vector<std::string> out;
  for (auto const& words : query.words)
    if (auto expression = by.phrase(words.text); !expression.empty() && !words.without)
      out.push_back(std::move(expression));
  return out;
}

}  // namespace andon::store::sql
