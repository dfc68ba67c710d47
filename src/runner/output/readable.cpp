#include "runner/output/readable.hpp"

#include <array>

#include <boost/json/serialize.hpp>

#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestHeld = 64U << 10U;
constexpr std::size_t kShownArgumentBytes = 200;
constexpr int kResultLines = 3;

/// The members of a tool's input that describe the call, most useful first.
constexpr std::array<std::string_view, 10> kTellingMembers{
    "command", "file_path", "path", "pattern", "url", "query", "prompt", "description", "name", "id"};

void for_each_line(std::string_view text, auto&& visit) {
  while (!text.empty()) {
    auto const end = text.find('\n');
    visit(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

std::string shown_first_line(std::string_view text) {
  auto const end = text.find('\n');
  auto line = shortened(text.substr(0, end), kShownArgumentBytes);
  return end == std::string_view::npos || end + 1 == text.size() ? line : line + " …";
}

std::string input_of(Event const& event) {
  auto const* input = event.field("input");
  auto const* object = input ? input->if_object() : nullptr;
  if (!object) return shown_first_line(event.text("input"));
  for (auto const name : kTellingMembers) {
    auto const* value = object->if_contains({name.data(), name.size()});
    if (value && value->is_string())
      return shown_first_line({value->get_string().data(), value->get_string().size()});
  }
  return object->empty() ? std::string{} : shown_first_line(json::serialize(*object));
}

bool has_failed(Event const& event) {
  if (event.flag("error").value_or(false)) return true;
  if (auto const ok = event.flag("ok")) return !*ok;
  if (auto const code = event.number("exit")) return *code != 0;
  return event.text("status") == "failed" || event.text("status") == "error";
}

std::string joined(std::initializer_list<std::string> words) {
  std::string out;
  for (auto const& word : words)
    if (!word.empty()) out += (out.empty() ? "" : " ") + word;
  return out;
}

}  // namespace

void Readable::tell_pieces(std::string_view piece, OnLine const& on_line) {
  pending_ += piece;
  while (true) {
    auto const end = pending_.find('\n');
    if (end == std::string::npos && pending_.size() < kLongestHeld) return;
    auto const line = pending_.substr(0, end);
    on_line(stream::kText, line);
    auto const taken = end == std::string::npos ? line.size() : end + 1;
    if (printed_.size() < kLongestHeld) printed_ += pending_.substr(0, taken);
    pending_.erase(0, taken);
  }
}

void Readable::tell_whole(std::string_view whole, OnLine const& on_line) {
  if (whole.starts_with(printed_)) whole.remove_prefix(printed_.size());
  printed_.clear();
  pending_.clear();
  for_each_line(whole, [&](std::string_view line) { on_line(stream::kText, line); });
}

void Readable::tell_text(Event const& event, OnLine const& on_line) {
  if (event.field("whole") && event.field("sub")) {
    for_each_line(event.text("whole"),
                  [&](std::string_view line) { on_line(stream::kText, "│ " + std::string{line}); });
  } else if (event.field("whole")) {
    tell_whole(event.text("whole"), on_line);
  } else {
    tell_pieces(event.text("delta"), on_line);
  }
}

void Readable::tell_tool_end(Event const& event, OnLine const& on_line) {
  auto const name = event.text("name");
  if (!name.empty()) on_line(stream::kTool, joined({"▸", name + ":", input_of(event)}));
  int left = kResultLines;
  std::size_t more = 0;
  for_each_line(event.text("output"), [&](std::string_view line) {
    if (left-- > 0)
      on_line(stream::kTool, "  " + shortened(line, kShownArgumentBytes));
    else
      ++more;
  });
  if (more > 0) on_line(stream::kTool, "  … " + std::to_string(more) + " more lines");
  if (has_failed(event)) on_line(stream::kTool, joined({"  ✗ failed", event.text("exit")}));
}

void Readable::tell_failure(Event const& event, OnLine const& on_line) {
  for (auto const* name : {"text", "errors", "status"})
    if (auto const words = event.text(name); !words.empty())
      return on_line(stream::kNotice, "ended with an error: " + words);
}

void Readable::tell(Event const& event, OnLine const& on_line) {
  if (event.kind == EventKind::text) return tell_text(event, on_line);
  finish(on_line);
  auto const notice = [&](std::initializer_list<std::string> words) {
    on_line(stream::kNotice, joined(words));
  };
  switch (event.kind) {
    case EventKind::tool_start:
      on_line(stream::kTool, joined({"▸", event.text("name") + ":", input_of(event)}));
      return;
    case EventKind::tool_output:
      for_each_line(event.text("text"), [&](std::string_view line) {
        on_line(stream::kTool, "  " + shortened(line, kShownArgumentBytes));
      });
      return;
    case EventKind::tool_end: return tell_tool_end(event, on_line);
    case EventKind::file:
      on_line(stream::kTool, joined({"▸", event.text("change"), event.text("path")}));
      return;
    case EventKind::retry:
      return notice({"model call failed, trying again:", event.text("reason"), event.text("status")});
    case EventKind::limit:
      if (event.text("status") != "allowed") notice({"usage limit:", event.text("status")});
      return;
    case EventKind::denied: return notice({"not permitted:", event.text("name"), event.text("call")});
    case EventKind::notice: return notice({event.text("text")});
    case EventKind::error: return notice({"error:", event.text("text")});
    case EventKind::background_start:
      return notice({"began in the background:", event.text("name"), event.text("id")});
    case EventKind::background_end:
      return notice({"ended in the background:", event.text("status"), event.text("id")});
    case EventKind::mcp:
      if (event.text("status") != "connected")
        notice({"MCP server", event.text("name"), event.text("status")});
      return;
    case EventKind::result:
      if (event.flag("is_error").value_or(false)) tell_failure(event, on_line);
      return;
    case EventKind::session:
      if (auto const model = event.text("model"); !model.empty() && model != model_) {
        notice({"session started with", model});
        model_ = model;
      }
      return;
    default: return;
  }
}

void Readable::finish(OnLine const& on_line) {
  if (!pending_.empty()) {
    on_line(stream::kText, pending_);
    if (printed_.size() < kLongestHeld) printed_ += pending_;
  }
  pending_.clear();
}

}  // namespace andon::runner
