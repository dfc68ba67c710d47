#include "runner/profiles/profile.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>

#include "api/operation.hpp"
#include "core/text/names.hpp"
#include "reflect/json.hpp"
#include "runner/output/pattern.hpp"
#include "runner/output/rule_set.hpp"
#include "runner/profiles/placeholder.hpp"

namespace andon::runner {
namespace {

namespace json = boost::json;
using core::Code;
using core::Result;

std::unexpected<core::Error> wrong(std::string path, std::string reason) {
  return core::refuse(Code::kInvalidInput, std::move(reason), std::move(path));
}

/// Puts the path of a part before the path in the error of its check.
Result<void> at(std::string const& place, Result<void> checked) {
  if (checked) return checked;
  auto error = std::move(checked).error();
  error.field = error.field.empty() ? place : place + "/" + error.field;
  return core::refuse(std::move(error));
}

Result<void> check_template(std::string const& place, json::value const& value) {
  auto const filled = fill_json(value, Variables{});
  if (!filled) return wrong(place, filled.error().message);
  return {};
}

Result<void> check_regex(std::string const& place, std::string const& expression) {
  if (expression.empty()) return {};
  auto const compiled = Pattern::compile(expression);
  if (!compiled) return wrong(place, compiled.error().message);
  return {};
}

bool is_json_form(json::object const& form) { return form.size() == 1 && form.contains("json"); }

/// A text, `{"json":…}`, or one of two such forms by a condition.
Result<void> check_value(std::string const& place, json::value const& value) {
  auto const* object = value.if_object();
  if (value.is_string() || (object && is_json_form(*object))) return check_template(place, value);
  auto const* condition = object ? object->if_contains("if") : nullptr;
  if (!condition || !condition->is_string() || !object->contains("then"))
    return wrong(place, "must be a text, {\"json\":…} or {\"if\":…,\"then\":…,\"else\":…}");
  if (!is_known_text({condition->get_string().data(), condition->get_string().size()}))
    return wrong(place + "/if", "there is no variable \"" + std::string{condition->get_string()} + "\"");
  for (auto const* branch : {"then", "else"})
    if (auto const* form = object->if_contains(branch)) {
      auto const* inner = form->if_object();
      if (!form->is_string() && !(inner && is_json_form(*inner)))
        return wrong(place + "/" + branch, "must be a text or {\"json\":…}");
      ANDON_CHECK(check_template(place + "/" + branch, *form));
    }
  return {};
}

Result<void> check_environment(Profile const& profile) {
  for (auto const& [name, value] : profile.env) {
    auto const place = "env/" + name;
    if (name.empty() || name.find_first_of("=\0", 0, 2) != std::string::npos)
      return wrong(place, "is not the name of a variable");
    ANDON_CHECK(check_value(place, value));
  }
  return {};
}

Result<void> check_files(Profile const& profile) {
  std::size_t index = 0;
  for (auto const& file : profile.files) {
    auto const place = "files/" + std::to_string(index++);
    std::filesystem::path const path{file.path};
    bool beneath = !file.path.empty() && path.is_relative();
    for (auto const& part : path) beneath = beneath && part != "..";
    if (!beneath) return wrong(place + "/path", "must be a path beneath the run directory");
    if (!file.if_.empty() && !is_known_text(file.if_))
      return wrong(place + "/if", "there is no variable \"" + file.if_ + "\"");
    if (file.format == FileFormat::text && !file.template_.is_string())
      return wrong(place + "/template", "must be a text");
    ANDON_CHECK(check_template(place + "/template", file.template_));
  }
  return {};
}

/// Refuses a level for which the profile has no arguments.
Result<void> check_levels(Profile const& profile, std::string const& place,
                          std::vector<std::string> const& levels) {
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (!profile.permissions.contains(levels[i]))
      return wrong(place + "/" + std::to_string(i), "is no level of \"permissions\"");
  return {};
}

Result<void> check_exit(Profile const& profile) {
  for (auto const& [code, meaning] : profile.exit) {
    int number = 0;
    auto const parsed = std::from_chars(code.data(), code.data() + code.size(), number);
    if (parsed.ec != std::errc{} || parsed.ptr != code.data() + code.size() || number < 0 || number > 255)
      return wrong("exit/" + code, "is not an exit code");
  }
  return {};
}

Result<void> check(Profile const& profile) {
  if (profile.schema != 1) return wrong("schema", "must be 1");
  if (!core::is_profile_name(profile.id))
    return wrong("id", "must be a name of letters, digits, - and _, or two joined by @");
  ANDON_CHECK(at("argv", check_arguments(profile.argv)));
  ANDON_CHECK(at("resume_argv", check_arguments(profile.resume_argv)));
  for (auto const& [level, arguments] : profile.permissions)
    ANDON_CHECK(at("permissions/" + level, check_arguments(arguments)));
  ANDON_CHECK(check_levels(profile, "prompt/words_only", profile.prompt.words_only));
  // A profile that takes all levels of its base away need not take these away, too.
  if (!profile.permissions.empty()) ANDON_CHECK(check_levels(profile, "mcp/pass_at", profile.mcp.pass_at));
  ANDON_CHECK(check_regex("detect/version_regex", profile.detect.version_regex));
  ANDON_CHECK(check_regex("detect/must_match", profile.detect.must_match));
  ANDON_CHECK(check_regex("detect/sign_in/file_holds", profile.detect.sign_in.file_holds));
  ANDON_CHECK(check_regex("detect/understood", profile.detect.understood));
  for (std::size_t i = 0; i < profile.failures.size(); ++i)
    ANDON_CHECK(check_regex("failures/" + std::to_string(i) + "/regex", profile.failures[i].regex));
  ANDON_CHECK(check_environment(profile));
  ANDON_CHECK(check_files(profile));
  ANDON_CHECK(check_template("mcp/template", profile.mcp.template_));
  ANDON_CHECK(check_exit(profile));
  if (auto const steps = stop_steps(profile.stop); !steps) return core::refuse(steps.error());
  if (profile.output.max_line < 1024) return wrong("output/max_line", "must be at least 1024");
  if (auto const rules = RuleSet::compile(profile.output); !rules) return core::refuse(rules.error());
  if (profile.prompt.max_arg_bytes > kLongestArgument)
    return wrong("prompt/max_arg_bytes", "must be at most " + std::to_string(kLongestArgument));
  return {};
}

struct SignalName {
  std::string_view name;
  int number;
};
constexpr SignalName kSignals[]{{"INT", SIGINT},   {"TERM", SIGTERM}, {"HUP", SIGHUP},  {"QUIT", SIGQUIT},
                                {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"KILL", SIGKILL}};

int signal_named(std::string_view name) {
  for (auto const& row : kSignals)
    if (row.name == name) return row.number;
  return 0;
}

}  // namespace

bool McpRule::is_passed_at(std::string_view level) const {
  return kind != McpKind::none && (pass || std::ranges::find(pass_at, level) != pass_at.end());
}

Result<Profile> read_profile(json::value const& value) {
  ANDON_TRY(auto profile, reflect::from_json<Profile>(value));
  ANDON_CHECK(check(profile));
  if (profile.title.empty()) profile.title = profile.id;
  return profile;
}

json::object merged(json::object base, json::object const& child) {
  for (auto const& [key, value] : child) {
    auto* below = base.if_contains(key);
    if (below && value.is_null()) {
      base.erase(key);
    } else if (below && below->is_object() && value.is_bool() && key == "mcp") {
      below->get_object()["pass"] = value;
    } else if (below && below->is_object() && value.is_object()) {
      *below = merged(std::move(below->get_object()), value.get_object());
    } else if (below && below->is_array() && value.is_array() && (key == "rules" || key == "failures")) {
      auto rules = value.get_array();
      for (auto& rule : below->get_array()) rules.push_back(std::move(rule));
      *below = std::move(rules);
    } else {
      base[key] = value;
    }
  }
  return base;
}

Result<std::vector<StopStep>> stop_steps(std::vector<std::vector<json::value>> const& stop) {
  using std::chrono::milliseconds;
  if (stop.empty())
    return std::vector<StopStep>{{SIGINT, milliseconds{3000}}, {SIGTERM, milliseconds{5000}}, {SIGKILL, {}}};
  std::vector<StopStep> steps;
  for (auto const& step : stop) {
    auto const place = "stop/" + std::to_string(steps.size());
    if (step.size() != 2 || !step[0].is_string() || !step[1].is_number())
      return wrong(place, "must be a signal and the seconds to wait, such as [\"TERM\",5]");
    auto const& name = step[0].get_string();
    auto const signal = signal_named({name.data(), name.size()});
    auto const seconds = step[1].to_number<double>();
    if (signal == 0) return wrong(place + "/0", "must be one of INT TERM HUP QUIT USR1 USR2 KILL");
    if (!(seconds >= 0 && seconds <= 600)) return wrong(place + "/1", "must be between 0 and 600 seconds");
    steps.push_back({signal, milliseconds{static_cast<std::int64_t>(seconds * 1000)}});
  }
  return steps;
}

}  // namespace andon::runner
