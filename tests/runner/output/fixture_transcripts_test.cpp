#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include "core/runs/outcome.hpp"
#include "os/files/file.hpp"
#include "os/files/time_zones.hpp"
#include "reflect/described.hpp"
#include "runner/output/pretty_json.hpp"
#include "runner/output/transcript.hpp"
#include "runner/profiles/profiles.hpp"
#include "runner/supervision/finish_request.hpp"
#include "service/runs/run_result.hpp"

// tests/fixtures/transcripts/<profile>/<case>.jsonl is what a program prints; <case>.expected.json says in
// `given` how it ended, and in the rest what Andon makes of it. ANDON_WRITE_TRANSCRIPTS=1 writes that rest
// anew: read the difference before you commit it.

using namespace andon;
using namespace andon::runner;

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::size_t kLargest = 4U << 20U;
/// The end of every stream, on a machine in Berlin: 2026-11-26, 12:00 UTC.
constexpr core::Instant kEnd{core::Duration{1'795'694'400'000}};
constexpr std::size_t kPiece = 997;  // bytes: lines come in pieces

/// What the stream does not say.
struct Given {
  core::Exit exit;
  std::optional<StopReason> stopped;
  std::string stderr_;
  core::Usage used_before;
  json::value usage_file;
};
void describe(auto& field, Given const*) {
  field(&Given::exit, "exit");
  field(&Given::stopped, "stopped");
  field(&Given::stderr_, "stderr");
  field(&Given::used_before, "used_before");
  field(&Given::usage_file, "usage_file");
}

struct Case {
  Profile profile;
  std::string stream;
  json::object expected;
  Given given;
};

std::vector<fs::path> all_cases() {
  std::vector<fs::path> files;
  for (auto const& entry : fs::recursive_directory_iterator{ANDON_TRANSCRIPTS})
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

fs::path expectation(fs::path const& stream) { return fs::path{stream}.replace_extension(".expected.json"); }

Case read_case(fs::path const& stream) {
  auto const content = reflect::parse_json(os::read_file(expectation(stream), kLargest));
  REQUIRE(content);
  Case one{test::built_in(stream.parent_path().filename().native()),
           os::read_file(stream, kLargest),
           content->as_object(),
           {}};
  auto const given = reflect::from_json<Given>(one.expected.at("given"));
  REQUIRE(given);
  one.given = *given;
  return one;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    auto const end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

json::array events_of(Case const& one) {
  auto const rules = *RuleSet::compile(one.profile.output);
  json::array out;
  for (auto const line : lines_of(one.stream)) {
    auto const parsed = reflect::parse_json(line);
    if (one.profile.output.kind == OutputKind::jsonl && !parsed) continue;
    auto const events = one.profile.output.kind == OutputKind::jsonl ? rules.read(*parsed) : rules.read(line);
    for (auto const& event : events) {
      json::object fields;
      for (auto const& [name, value] : event.fields) fields[name] = value;
      out.push_back(json::object{{kEventKindNames[static_cast<std::size_t>(event.kind)], std::move(fields)}});
    }
  }
  return out;
}

core::Judgement judged(EndRecord const& record) {
  auto const request = finish_request(record);
  core::Ending ending;
  ending.stopped_because = request.stopped_because;
  ending.has_result = request.has_result;
  ending.result_is_error = request.result_is_error;
  ending.result_text = request.result;
  ending.unfinished = request.unfinished;
  ending.exit = request.exit;
  ending.has_evidence = !request.commits.empty() || request.files_changed > 0 ||
                        request.result.find_first_not_of(" \n\t") != std::string::npos;
  auto judgement = core::judge(ending);
  if (request.stopped_because == core::StopReason::unfit) judgement.reason = request.result;
  return judgement;
}

/// What Andon makes of a stream.
json::object read_stream(Case const& one, std::string_view stream) {
  auto const& profile = one.profile;
  Transcript transcript{profile.output, *RuleSet::compile(profile.output), profile.usage, profile.fatal,
                        one.given.used_before};
  json::array lines;
  OnLine const on_line = [&](std::string_view from, std::string_view text) {
    lines.emplace_back(std::string{from} + "|" + std::string{text});
  };
  transcript.feed(OutputStream::err, one.given.stderr_, on_line);
  for (; !stream.empty(); stream.remove_prefix(std::min(kPiece, stream.size())))
    transcript.feed(OutputStream::out, stream.substr(0, kPiece), on_line);
  transcript.finish(on_line);
  if (profile.usage.after_exit && one.given.usage_file.is_object()) {
    auto const events = read_usage_file_events(*profile.usage.after_exit, one.given.usage_file);
    REQUIRE(events);
    for (auto const& event : *events) transcript.add_usage(event);
  }
  auto const stopped = transcript.fatal() ? std::optional{StopReason::fatal} : one.given.stopped;
  RunSpec spec;
  spec.output = profile.output;
  spec.exit = profile.exit;
  spec.failures = profile.failures;
  spec.sign_in = profile.detect.sign_in.how;
  auto const record = make_end_record(spec, transcript.summary(), one.given.exit, stopped, transcript.fatal(),
                                      {kEnd, &os::time_zones(), "Europe/Berlin"});
  auto const judgement = judged(record);
  json::object out{{"outcome", core::kOutcomeNames[static_cast<std::size_t>(judgement.outcome)]}};
  if (!judgement.reason.empty()) out["reason"] = judgement.reason;
  if (record.error_class) out["class"] = kErrorClassNames[static_cast<std::size_t>(*record.error_class)];
  if (!record.session.empty()) out["session"] = record.session;
  if (!record.model.empty()) out["model"] = record.model;
  if (!record.result.empty()) out["result"] = record.result;
  if (!record.error.empty()) out["error"] = record.error;
  if (record.usage) out["usage"] = json::parse(reflect::to_json(*record.usage));
  if (reflect::to_json(record.session_usage) != reflect::to_json(core::Usage{}))
    out["session_usage"] = json::parse(reflect::to_json(record.session_usage));
  if (record.limit_resets_at) out["limit_resets_at"] = record.limit_resets_at->time_since_epoch().count();
  json::array windows;
  for (auto const& window : record.windows) windows.push_back(json::parse(reflect::to_json(window)));
  if (!windows.empty()) out["windows"] = std::move(windows);
  out["lines"] = std::move(lines);
  return out;
}

json::value with_keys_reversed(json::value const& value) {
  if (auto const* list = value.if_array()) {
    json::array out;
    for (auto const& item : *list) out.push_back(with_keys_reversed(item));
    return out;
  }
  auto const* object = value.if_object();
  if (!object) return value;
  json::object out;
  for (std::size_t i = object->size(); i-- > 0;) {
    auto const& member = *(object->begin() + static_cast<std::ptrdiff_t>(i));
    out[member.key()] = with_keys_reversed(member.value());
  }
  return out;
}

/// The same stream with the members of every object in another order.
std::string reordered(std::string_view stream) {
  std::string out;
  for (auto const line : lines_of(stream)) {
    auto const parsed = reflect::parse_json(line);
    out += (parsed ? json::serialize(with_keys_reversed(*parsed)) : std::string{line}) + "\n";
  }
  return out;
}

/// The same stream as a later release may print it.
std::string with_news(std::string_view stream) {
  std::string out;
  for (auto const line : lines_of(stream))
    out += std::string{line} + "\n{\"type\":\"news.of.a.later.release\",\"data\":[1,{\"x\":null}]}\n";
  return out;
}

json::object without_lines(json::object said) {
  said.erase("lines");
  return said;
}

}  // namespace

TEST_CASE("Transcript.EveryFixtureIsUnderstood") {
  bool const writes = std::getenv("ANDON_WRITE_TRANSCRIPTS") != nullptr;
  auto const cases = all_cases();
  CHECK(cases.size() > 80);
  for (auto const& file : cases) {
    CAPTURE(file.native());
    auto const one = read_case(file);
    auto now = read_stream(one, one.stream);
    now["events"] = events_of(one);
    json::object whole{{"given", one.expected.at("given")}};
    for (auto const& [key, value] : now) whole[key] = value;
    if (writes) os::write_file(expectation(file), test::pretty(whole));
    for (auto const& [key, value] : one.expected) {
      CAPTURE(std::string{key});
      CHECK(json::serialize(whole.contains(key) ? whole.at(key) : json::value{}) == json::serialize(value));
    }
    CHECK(whole.size() == one.expected.size());
  }
}

TEST_CASE("Transcript.TheOrderOfKeysDoesNotMatter") {
  for (auto const& file : all_cases()) {
    CAPTURE(file.native());
    auto const one = read_case(file);
    if (one.profile.output.kind != OutputKind::jsonl) continue;
    CHECK(without_lines(read_stream(one, reordered(one.stream))) ==
          without_lines(read_stream(one, one.stream)));
  }
}

TEST_CASE("Transcript.UnknownTypesChangeNothing") {
  for (auto const& file : all_cases()) {
    CAPTURE(file.native());
    auto const one = read_case(file);
    if (one.profile.output.kind != OutputKind::jsonl) continue;
    CHECK(without_lines(read_stream(one, with_news(one.stream))) ==
          without_lines(read_stream(one, one.stream)));
  }
}
