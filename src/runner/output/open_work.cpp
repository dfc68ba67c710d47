#include "runner/output/open_work.hpp"

#include <algorithm>

#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kMostOpen = 256;
constexpr std::size_t kLongestId = 1024;
constexpr std::size_t kMostNamed = 3;
constexpr std::size_t kLongestWorkName = 100;

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string{noun} + (count == 1 ? "" : "s");
}

void add_names(std::string& out, std::map<std::string, std::string> const& work, std::size_t& named) {
  for (auto const& [id, name] : work) {
    if (named == kMostNamed) return;
    out += (named++ == 0 ? ": " : ", ") + shortened(name.empty() ? id : name, kLongestWorkName);
  }
}

}  // namespace

void OpenWork::take(Event const& event) {
  auto const call = std::string{head(event.text("call"), kLongestId)};
  auto const id = std::string{head(event.text("id"), kLongestId)};
  switch (event.kind) {
    case EventKind::tool_start:
      given_up_.clear();
      if (calls_.size() < kMostOpen) calls_.insert(call);
      return;
    case EventKind::tool_end:
      given_up_.clear();
      has_ends_ = calls_.erase(call) > 0 || has_ends_;
      return;
    case EventKind::text:
      if (!event.field("sub")) given_up_.clear();
      return;
    case EventKind::background_start:
      if (background_.size() < kMostOpen) background_[id] = head(event.text("name"), kLongestId);
      return;
    case EventKind::background_end: {
      auto ended = background_.extract(id);
      auto const status = event.text("status");
      if (!ended.empty() && (status == "stopped" || status == "killed")) given_up_.insert(std::move(ended));
      return;
    }
    case EventKind::result:
      open_at_result_ = has_ends_ ? calls_.size() : 0;
      calls_.clear();
      return;
    default: return;
  }
}

std::string OpenWork::unfinished() const {
  auto const in_background = background_.size() + given_up_.size();
  if (in_background == 0 && open_at_result_ == 0) return {};
  std::string out = "its program ended before ";
  if (in_background > 0) out += counted(in_background, "task") + " in the background";
  if (in_background > 0 && open_at_result_ > 0) out += " and ";
  if (open_at_result_ > 0) out += counted(open_at_result_, "call") + " of a tool";
  std::size_t named = 0;
  add_names(out, background_, named);
  add_names(out, given_up_, named);
  return out;
}

}  // namespace andon::runner
