#include "runner/secrets/secret_rule_file.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

#include <boost/json.hpp>

#include "core/text/ascii.hpp"

namespace andon::runner {
namespace {

namespace json = boost::json;

std::string text_at(json::object const& object, char const* key) {
  auto const* value = object.if_contains(key);
  return value ? json::value_to<std::string>(*value) : std::string{};
}

json::array const& list_at(json::object const& object, char const* key) {
  static json::array const empty;
  auto const* value = object.if_contains(key);
  return value ? value->as_array() : empty;
}

bool flag_at(json::object const& object, char const* key) {
  auto const* value = object.if_contains(key);
  return value && value->as_bool();
}

std::unique_ptr<SecretPattern> pattern_at(json::object const& object, char const* key) {
  auto expression = text_at(object, key);
  return expression.empty() ? nullptr : std::make_unique<SecretPattern>(std::move(expression));
}

std::vector<SecretPattern> patterns_at(json::object const& object, char const* key) {
  std::vector<SecretPattern> out;
  for (auto const& each : list_at(object, key)) out.emplace_back(json::value_to<std::string>(each));
  return out;
}

std::vector<std::string> lower_words_at(json::object const& object, char const* key) {
  std::vector<std::string> out;
  for (auto const& each : list_at(object, key))
    out.push_back(core::ascii_lower(std::string_view{each.as_string()}));
  return out;
}

SecretAllowance::Target target_at(json::object const& object) {
  auto const name = text_at(object, "regexTarget");
  if (name == "match") return SecretAllowance::Target::match;
  if (name == "line") return SecretAllowance::Target::line;
  if (name.empty() || name == "secret") return SecretAllowance::Target::secret;
  throw std::runtime_error("rules of secrets have the unknown target " + name);
}

std::vector<SecretAllowance> allowances_at(json::object const& object) {
  std::vector<SecretAllowance> out;
  for (auto const& each : list_at(object, "allowlists")) {
    auto const& from = each.as_object();
    out.push_back({.target = target_at(from),
                   .needs_all = text_at(from, "condition") == "AND",
                   .paths = patterns_at(from, "paths"),
                   .expressions = patterns_at(from, "regexes"),
                   .words = lower_words_at(from, "stopwords")});
  }
  return out;
}

SecretRule rule_from(json::object const& object) {
  SecretRule out;
  out.id = text_at(object, "id");
  out.description = text_at(object, "description");
  out.expression = pattern_at(object, "regex");
  out.path = pattern_at(object, "path");
  out.keywords = lower_words_at(object, "keywords");
  out.allowances = allowances_at(object);
  if (auto const* group = object.if_contains("secretGroup")) out.group = group->to_number<std::size_t>();
  if (auto const* entropy = object.if_contains("entropy")) out.entropy = entropy->to_number<double>();
  out.is_mixed = flag_at(object, "mixed");
  out.is_literal = flag_at(object, "literal");
  if (out.expression && out.keywords.empty())
    throw std::runtime_error("the rule of secrets " + out.id + " has no keyword");
  return out;
}

void set_window(SecretRuleBook& book, json::object const& window) {
  for (auto& rule : book.rules) {
    if (rule.id != text_at(window, "id")) continue;
    rule.before = window.at("before").to_number<std::size_t>();
    rule.after = window.at("after").to_number<std::size_t>();
  }
}

/// The allowances of a rule that another one takes over, as those of the file have them.
void add_allowances_of(std::string const& id, std::vector<json::value> const& files, SecretRule& rule) {
  if (id.empty()) return;
  for (auto const& file : files)
    for (auto const& each : list_at(file.as_object(), "rules"))
      if (text_at(each.as_object(), "id") == id)
        std::ranges::move(allowances_at(each.as_object()), std::back_inserter(rule.allowances));
}

bool names(json::array const& list, std::string const& id) {
  return std::ranges::any_of(list, [&](auto const& one) { return text_at(one.as_object(), "id") == id; });
}

/// The rules of one file, without those that another one leaves out.
void add_rules(json::object const& file, std::vector<json::value> const& files, SecretRuleBook& out) {
  for (auto const& each : list_at(file, "rules")) {
    auto const& from = each.as_object();
    auto rule = rule_from(from);
    bool const is_left_out = std::ranges::any_of(files, [&](json::value const& other) {
      return &other.as_object() != &file && names(list_at(other.as_object(), "left_out"), rule.id);
    });
    if (is_left_out) continue;
    add_allowances_of(text_at(from, "allowlistsOf"), files, rule);
    out.rules.push_back(std::move(rule));
  }
}

}  // namespace

SecretRuleBook read_secret_rules(std::vector<std::string_view> const& texts) {
  SecretRuleBook out;
  std::vector<json::value> files;
  for (auto const text : texts) files.push_back(json::parse(text));
  for (auto const& file : files) {
    add_rules(file.as_object(), files, out);
    std::ranges::move(allowances_at(file.as_object()), std::back_inserter(out.allowances));
  }
  for (auto const& file : files)
    for (auto const& each : list_at(file.as_object(), "windows")) set_window(out, each.as_object());
  return out;
}

}  // namespace andon::runner
