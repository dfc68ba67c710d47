#include "runner/output/rule_set.hpp"

#include <algorithm>
#include <set>

#include "runner/output/pattern.hpp"
#include "runner/output/pointer.hpp"

namespace andon::runner {

namespace json = boost::json;
using core::Result;

/// Compiled forms of the parts of a rule.
namespace compiled {

struct Test {
  Pointer at;
  Condition wanted;
  std::optional<Pattern> pattern;

  bool holds(Place const& place) const;
};

struct Setter {
  std::string field;
  json::value constant;
  Pointer from;
  bool is_constant = false;
  bool takes_first_key = false;
};

struct CompiledRule {
  Rule rule;
  std::vector<Test> tests;
  std::optional<Pointer> each;
  bool over_members = false;
  std::optional<Pattern> pattern;
  std::vector<Setter> setters;
  bool is_for_text = false;
};

bool Test::holds(Place const& place) const {
  json::value const key = place.key.data() ? json::value(place.key) : json::value();
  auto const* found = this->at.is_key() ? &key : this->at.find(place);
  if (wanted.exists && *wanted.exists != (found != nullptr)) return false;
  if (!wanted.eq.is_null() && (!found || *found != wanted.eq)) return false;
  if (!wanted.ne.is_null() && found && *found == wanted.ne) return false;
  if (!wanted.in.empty() && (!found || std::ranges::find(wanted.in, *found) == wanted.in.end())) return false;
  if (!pattern) return true;
  return found && found->is_string() &&
         pattern->found_in({found->get_string().data(), found->get_string().size()});
}

}  // namespace compiled

namespace {

using compiled::CompiledRule;
using compiled::Setter;
using compiled::Test;

std::unexpected<core::Error> at(std::string place, core::Error error) {
  error.field = error.field.empty() ? std::move(place) : place + "/" + error.field;
  return core::refuse(std::move(error));
}

Result<std::vector<Test>> compile_tests(std::vector<Condition> const& conditions, std::string const& place) {
  std::vector<Test> tests;
  for (auto const& condition : conditions) {
    auto const here = place + "/" + std::to_string(tests.size());
    Test test;
    test.wanted = condition;
    auto pointer = Pointer::compile(condition.ptr);
    if (!pointer) return at(here + "/ptr", std::move(pointer).error());
    test.at = *std::move(pointer);
    if (!condition.regex.empty()) {
      auto pattern = Pattern::compile(condition.regex);
      if (!pattern) return at(here + "/regex", std::move(pattern).error());
      test.pattern = *std::move(pattern);
    }
    tests.push_back(std::move(test));
  }
  return tests;
}

Result<Setter> compile_setter(std::string const& field, json::value const& form) {
  Setter setter;
  setter.field = field;
  auto const* text = form.if_string();
  auto const* object = form.if_object();
  if (object && object->size() == 1 && object->contains("const")) {
    setter.constant = object->at("const");
    setter.is_constant = true;
    return setter;
  }
  if (object && object->contains("ptr") && object->contains("key") && object->size() == 2) {
    text = object->at("ptr").if_string();
    setter.takes_first_key = true;
  }
  if (!text)
    return core::refuse(core::Code::kInvalidInput,
                        "must be a pointer, {\"const\":…} or {\"ptr\":…,\"key\":true}");
  ANDON_TRY(setter.from, Pointer::compile({text->data(), text->size()}));
  return setter;
}

Result<std::vector<Setter>> compile_setters(std::map<std::string, json::value> const& set,
                                            std::string const& place) {
  std::vector<Setter> setters;
  for (auto const& [field, form] : set) {
    auto setter = compile_setter(field, form);
    if (!setter) return at(place + "/" + field, std::move(setter).error());
    setters.push_back(*std::move(setter));
  }
  return setters;
}

Result<CompiledRule> compile_rule(Rule const& rule, OutputKind kind, std::string const& place) {
  CompiledRule compiled;
  compiled.rule = rule;
  if (kind == OutputKind::text && rule.regex.empty())
    return at(place, core::Error{core::Code::kInvalidInput, "a rule for text needs a \"regex\"", {}, {}, {}});
  if (kind == OutputKind::jsonl && rule.when.empty() && rule.regex.empty())
    return at(place, core::Error{core::Code::kInvalidInput,
                                 "a rule for JSON lines needs a \"when\", one for other lines a \"regex\"",
                                 {},
                                 {},
                                 {}});
  compiled.is_for_text = kind == OutputKind::text || rule.when.empty();
  ANDON_TRY(compiled.tests, compile_tests(rule.when, place + "/when"));
  ANDON_TRY(compiled.setters, compile_setters(rule.set, place + "/set"));
  if (compiled.is_for_text)
    for (auto const& setter : compiled.setters)
      if (!setter.is_constant)
        return at(
            place + "/set/" + setter.field,
            core::Error{core::Code::kInvalidInput, "must be {\"const\":…} in a rule for text", {}, {}, {}});
  if (!rule.regex.empty()) {
    auto pattern = Pattern::compile(rule.regex);
    if (!pattern) return at(place + "/regex", std::move(pattern).error());
    compiled.pattern = *std::move(pattern);
  }
  auto const& each = rule.each.empty() ? rule.each_key : rule.each;
  compiled.over_members = rule.each.empty();
  if (!each.empty()) {
    auto pointer = Pointer::compile(each);
    if (!pointer)
      return at(place + (compiled.over_members ? "/each_key" : "/each"), std::move(pointer).error());
    compiled.each = *std::move(pointer);
  }
  return compiled;
}

Event make_event(Rule const& rule, std::vector<Setter> const& setters, Place const& place) {
  Event event{rule.emit, {}, rule.scope};
  for (auto const& setter : setters) {
    if (setter.is_constant) {
      event.fields[setter.field] = setter.constant;
      continue;
    }
    if (setter.from.is_key()) {
      event.fields[setter.field] = json::value(place.key);
      continue;
    }
    auto const* found = setter.from.find(place);
    if (!found || found->is_null()) continue;
    if (!setter.takes_first_key) {
      event.fields[setter.field] = *found;
    } else if (auto const* object = found->if_object(); object && !object->empty()) {
      event.fields[setter.field] = json::value(object->begin()->key());
    }
  }
  return event;
}

/// Calls `visit` for every place that the rule examines.
template <class Visit>
void for_each_place(std::optional<Pointer> const& each, bool over_members, json::value const& line,
                    Visit visit) {
  if (!each) {
    visit(Place{line});
    return;
  }
  auto const* found = each->find(Place{line});
  if (!found) return;
  if (over_members && found->is_object()) {
    for (auto const& [key, value] : found->get_object()) visit(Place{line, &value, {key.data(), key.size()}});
  } else if (!over_members && found->is_array()) {
    for (auto const& value : found->get_array()) visit(Place{line, &value});
  }
}

bool all_hold(std::vector<Test> const& tests, Place const& place) {
  return std::ranges::all_of(tests, [&](Test const& test) { return test.holds(place); });
}

}  // namespace

struct RuleSet::Compiled {
  std::vector<CompiledRule> rules;
  std::vector<Test> drop;
  std::vector<Pattern> noise;
};

Result<RuleSet> RuleSet::compile(Output const& output) {
  Compiled compiled;
  for (auto const& rule : output.rules) {
    auto const place = "output/rules/" + std::to_string(compiled.rules.size());
    ANDON_TRY(auto one, compile_rule(rule, output.kind, place));
    compiled.rules.push_back(std::move(one));
  }
  ANDON_TRY(compiled.drop, compile_tests(output.drop, "output/drop"));
  for (auto const& expression : output.noise) {
    auto pattern = Pattern::compile(expression);
    if (!pattern)
      return at("output/noise/" + std::to_string(compiled.noise.size()), std::move(pattern).error());
    compiled.noise.push_back(*std::move(pattern));
  }
  RuleSet set;
  set.compiled_ = std::make_shared<Compiled const>(std::move(compiled));
  return set;
}

std::vector<Event> RuleSet::read(json::value const& line) const {
  std::vector<Event> events;
  std::set<std::string_view> groups_that_fired;
  for (auto const& compiled : compiled_->rules) {
    auto const& group = compiled.rule.group;
    if (compiled.is_for_text) continue;
    if (!group.empty() && groups_that_fired.contains(group)) continue;
    auto const before = events.size();
    for_each_place(compiled.each, compiled.over_members, line, [&](Place const& place) {
      if (all_hold(compiled.tests, place))
        events.push_back(make_event(compiled.rule, compiled.setters, place));
    });
    if (!group.empty() && events.size() > before) groups_that_fired.insert(group);
  }
  return events;
}

std::vector<Event> RuleSet::read(std::string_view line) const {
  std::vector<Event> events;
  for (auto const& compiled : compiled_->rules) {
    if (!compiled.is_for_text) continue;
    auto const groups = compiled.pattern->groups(line);
    if (groups.empty()) continue;
    Event event{compiled.rule.emit, {}, compiled.rule.scope};
    for (auto const& [name, value] : groups) event.fields[name] = json::value(value);
    for (auto const& setter : compiled.setters) event.fields[setter.field] = setter.constant;
    events.push_back(std::move(event));
  }
  return events;
}

bool RuleSet::drops(json::value const& line) const {
  return std::ranges::any_of(compiled_->drop, [&](Test const& test) { return test.holds(Place{line}); });
}

bool RuleSet::is_noise(std::string_view line) const {
  return std::ranges::any_of(compiled_->noise,
                             [&](Pattern const& pattern) { return pattern.found_in(line); });
}

Result<std::vector<Event>> read_usage_file_events(UsageFile const& rule, json::value const& content) {
  Rule as_rule;
  as_rule.emit = EventKind::usage;
  ANDON_TRY(auto const setters, compile_setters(rule.set, "set"));
  std::optional<Pointer> each;
  if (!rule.each_key.empty()) {
    ANDON_TRY(each, Pointer::compile(rule.each_key));
  }
  std::vector<Event> events;
  for_each_place(each, true, content,
                 [&](Place const& place) { events.push_back(make_event(as_rule, setters, place)); });
  return events;
}

}  // namespace andon::runner
