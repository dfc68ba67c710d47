#include "runner/output/transcript.hpp"

#include <algorithm>

#include "reflect/json.hpp"
#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestResult = 64U << 10U;
constexpr std::size_t kLongestTail = 4U << 10U;
constexpr std::size_t kLongestField = 1024;
constexpr std::size_t kLongestRawLine = 4U << 10U;
constexpr std::size_t kLongestTextLine = 64U << 10U;
constexpr std::size_t kMostWindowsOfRun = 8;
constexpr std::size_t kLongestWindowName = 64;
constexpr reflect::JsonLimits kLimits{.depth = 128, .nodes = 20'000};

std::size_t longest_line(Output const& output) {
  auto const wanted = static_cast<std::size_t>(std::max<std::int64_t>(output.max_line, 1024));
  return output.kind == OutputKind::text ? std::min(wanted, kLongestTextLine) : wanted;
}

void keep_tail(std::string& tail_text, std::string_view line) {
  tail_text.append(line).append("\n");
  if (tail_text.size() > 2 * kLongestTail) tail_text = std::string{tail(tail_text, kLongestTail)};
}

/// The message inside an error that is JSON or ends in JSON, as model services return it.
std::string words_of_error(std::string const& text) {
  auto const begin = text.find('{');
  auto const end = text.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return text;
  auto const parsed = reflect::parse_json(std::string_view{text}.substr(begin, end - begin + 1), kLimits);
  auto const* object = parsed ? parsed->if_object() : nullptr;
  if (auto const* inner = object ? object->if_contains("error") : nullptr; inner && inner->is_object())
    object = &inner->get_object();
  auto const* message = object ? object->if_contains("message") : nullptr;
  if (!message || !message->is_string() || message->get_string().empty()) return text;
  return {message->get_string().data(), message->get_string().size()};
}

/// Replaces errors that are raw answers of the model's service by their messages.
Event in_plain_words(Event event) {
  bool const is_error = event.kind == EventKind::error || event.kind == EventKind::retry ||
                        (event.kind == EventKind::result && event.flag("is_error").value_or(false));
  if (!is_error) return event;
  for (auto const* name : {"text", "reason"})
    if (auto const* field = event.field(name); field && field->is_string())
      event.fields[name] = json::value(words_of_error(event.text(name)));
  return event;
}

bool is_retry(Event const& event) { return event.kind == EventKind::retry; }

/// A number, also as a text of digits only.
std::optional<double> seconds_in(Event const& event, std::string_view name) {
  auto const text = event.text(name);
  bool const is_number = event.field(name) && (event.field(name)->is_number() ||
                                               text.find_first_not_of("0123456789") == std::string::npos);
  return is_number ? event.number(name) : std::nullopt;
}

void note_end_of_limit(LimitReport& limit, Event const& event) {
  auto const at = seconds_in(event, "resets_at");
  auto const in = seconds_in(event, "resets_in");
  auto words =
      std::string{head(event.text(event.field("resets_at") ? "resets_at" : "resets_in"), kLongestField)};
  if (!at && !in && words.empty()) return;
  limit.resets_at = at;
  limit.resets_in = at ? std::nullopt : in;
  limit.words = at || in ? std::string{} : std::move(words);
}

}  // namespace

bool Summary::has_reached_limit() const { return std::ranges::any_of(limits, &LimitReport::is_reached); }

Transcript::Transcript(Output output, RuleSet rules, UsageRule usage, std::vector<FatalRule> fatal,
                       core::Usage used_before)
    : output_(std::move(output)),
      rules_(std::move(rules)),
      fatal_(std::move(fatal)),
      fatal_counts_(fatal_.size(), 0),
      out_(output_.stream == OutputStream::out ? longest_line(output_) : kLongestTextLine),
      err_(output_.stream == OutputStream::err ? longest_line(output_) : kLongestTextLine),
      meter_(std::move(usage), used_before) {}

void Transcript::feed(OutputStream from, std::string_view bytes, OnLine const& on_line) {
  auto& splitter = from == OutputStream::out ? out_ : err_;
  splitter.feed(bytes, [&](std::string_view line, bool is_cut) { read_line(from, line, is_cut, on_line); });
}

void Transcript::finish(OnLine const& on_line) {
  out_.finish(
      [&](std::string_view line, bool is_cut) { read_line(OutputStream::out, line, is_cut, on_line); });
  err_.finish(
      [&](std::string_view line, bool is_cut) { read_line(OutputStream::err, line, is_cut, on_line); });
  readable_.finish(on_line);
}

void Transcript::read_line(OutputStream from, std::string_view line, bool is_cut, OnLine const& on_line) {
  ++lines_;
  if (from != output_.stream) {
    read_other_line(from, as_utf8(line), on_line);
  } else if (output_.kind == OutputKind::text) {
    read_text_line(line, on_line);
  } else if (is_cut) {
    on_line(stream::kRaw, shortened(as_utf8(head(line, kLongestRawLine)), kLongestRawLine) + " … (cut)");
  } else {
    read_json_line(from, line, on_line);
  }
}

bool Transcript::is_quiet_noise(std::string_view line) {
  bool const is_noise = rules_.is_noise(line);
  if (is_noise) ++quiet_lines_;
  return is_noise;
}

/// Reads a line that is not part of the protocol.
void Transcript::read_other_line(OutputStream from, std::string const& text, OnLine const& on_line) {
  if (is_quiet_noise(text)) return;
  auto const events =
      output_.kind == OutputKind::jsonl ? rules_.read(std::string_view{text}) : std::vector<Event>{};
  for (auto const& event : events) take(event, on_line);
  if (!events.empty() && std::ranges::all_of(events, is_retry)) ++quiet_lines_;
  if (events.empty()) on_line(from == OutputStream::err ? stream::kErr : stream::kOut, text);
  if (output_.kind == OutputKind::text || progress_ == 0) keep_tail(summary_.output_tail, text);
}

void Transcript::read_text_line(std::string_view line, OnLine const& on_line) {
  auto const text = as_utf8(line);
  if (is_quiet_noise(text)) return;
  on_line(output_.stream == OutputStream::out ? stream::kOut : stream::kErr, text);
  keep_tail(summary_.output_tail, text);
  ++progress_;
  for (auto const& event : rules_.read(std::string_view{text})) take(event, on_line);
}

void Transcript::read_json_line(OutputStream from, std::string_view line, OnLine const& on_line) {
  auto const parsed = line.starts_with('{') || line.starts_with(' ')
                          ? reflect::parse_json(line, kLimits)
                          : core::refuse(core::Code::kMalformed, "not an object");
  if (!parsed) {
    auto const text = as_utf8(head(line, kLongestTextLine));
    if (line.starts_with('{'))
      on_line(stream::kRaw, text);
    else if (!line.empty())
      read_other_line(from, text, on_line);
    return;
  }
  auto const events = rules_.read(*parsed);
  for (auto const& event : events) take(event, on_line);
  if (!events.empty() && std::ranges::all_of(events, is_retry)) ++quiet_lines_;
  if (events.empty() && !rules_.drops(*parsed)) on_line(stream::kRaw, shortened(line, kLongestRawLine));
}

void Transcript::take(Event const& told, OnLine const& on_line) {
  auto event = in_plain_words(told);
  for (auto const* name : {"text", "reason", "errors"})
    if (event.kind != EventKind::text && rules_.is_noise(event.text(name))) event.fields.erase(name);
  if (!is_retry(event)) ++progress_;
  if (event.kind == EventKind::notice && event.text("text").empty()) return;
  readable_.tell(event, on_line);
  count_fatal(event);
  open_.take(event);
  switch (event.kind) {
    case EventKind::session:
      if (event.field("id")) summary_.session = head(event.text("id"), kLongestField);
      if (event.field("model")) summary_.model = head(event.text("model"), kLongestField);
      return;
    case EventKind::text: return note_text(event);
    case EventKind::tool_start:
    case EventKind::tool_end: return text_pieces_.clear();
    case EventKind::usage: return meter_.add(event);
    case EventKind::limit: return note_limit(event);
    case EventKind::retry: summary_.error = head(event.text("reason"), kLongestField); return;
    case EventKind::error: return note_error(event);
    case EventKind::result: return note_result(event);
    default: return;
  }
}

void Transcript::note_text(Event const& event) {
  if (event.field("sub")) return;
  if (event.field("whole")) {
    last_text_ = head(event.text("whole"), kLongestResult);
    text_pieces_.clear();
    return;
  }
  if (text_pieces_.size() < kLongestResult) text_pieces_ += event.text("delta");
  last_text_ = head(text_pieces_, kLongestResult);
}

void Transcript::note_limit(Event const& event) {
  auto const window = std::string{head(event.text("window"), kLongestWindowName)};
  auto& limits = summary_.limits;
  auto limit = std::ranges::find(limits, window, &LimitReport::window);
  if (limit == limits.end()) {
    if (limits.size() == kMostWindowsOfRun) return;
    limit = limits.insert(limits.end(), LimitReport{.window = window});
  }
  note_end_of_limit(*limit, event);
  if (auto const used = event.number("used"); used && *used >= 0)
    limit->used = std::min(*used > 1 ? *used / 100 : *used, 1.0);
  // An event about a limit without a status means that the limit is reached.
  auto const status = event.text("status");
  if (status.empty() || status == "rejected") limit->is_reached = true;
}

void Transcript::note_error(Event const& event) {
  summary_.error = head(event.text("text"), kLongestField);
  note_api_status(event);
}

void Transcript::note_api_status(Event const& event) {
  if (auto const status = event.number("api_status"))
    summary_.api_status = static_cast<int>(std::clamp(*status, 0.0, 999.0));
}

void Transcript::note_result(Event const& event) {
  if (auto const is_error = event.flag("is_error")) summary_.is_error = is_error;
  summary_.status = head(event.text("status"), kLongestField);
  if (!summary_.is_error && summary_.status == "done") summary_.is_error = false;
  if (!summary_.is_error && summary_.status == "failed") summary_.is_error = true;
  note_api_status(event);
  if (event.field("text")) summary_.result = head(event.text("text"), kLongestResult);
  if (event.field("errors")) summary_.error = head(event.text("errors"), kLongestField);
  if (summary_.is_error.value_or(false) && event.field("text"))
    summary_.error = head(event.text("text"), kLongestField);
}

void Transcript::count_fatal(Event const& event) {
  for (std::size_t i = 0; i < fatal_.size(); ++i) {
    auto const& rule = fatal_[i];
    if (rule.event != event.kind || broken_) continue;
    auto const* value = event.field(rule.field);
    if (!value || std::ranges::find(rule.in, *value) == rule.in.end()) continue;
    if (++fatal_counts_[i] < rule.count) continue;
    broken_ = i;
    summary_.error = head(event.text(rule.field), kLongestField);
  }
}

Summary Transcript::summary() const {
  auto summary = summary_;
  if (summary.result.empty()) summary.result = last_text_;
  summary.output_tail = std::string{tail(summary.output_tail, kLongestTail)};
  summary.unfinished = open_.unfinished();
  if (meter_.has_any()) summary.usage = meter_.run();
  summary.session_usage = meter_.session();
  return summary;
}

}  // namespace andon::runner
