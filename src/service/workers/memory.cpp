#include "service/workers/memory.hpp"

#include <algorithm>

#include "core/text/names.hpp"
#include "service/check_text.hpp"
#include "service/operation_context.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::size_t kLongestTopic = 200;
constexpr std::size_t kDateCharacters = 10;  // characters of a date
constexpr std::size_t kEntryBytes = 2U << 10U;

bool is_topic(std::string_view text) {
  if (text.empty() || text.size() > kLongestTopic || !text.ends_with(".md")) return false;
  while (!text.empty()) {
    auto const part = text.substr(0, text.find('/'));
    if (!core::is_name(part)) return false;
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return true;
}

/// People leave the ending out.
Result<std::string> parse_topic(std::string text) {
  if (!text.ends_with(".md")) text += ".md";
  if (is_topic(text)) return text;
  return core::refuse(
      Code::kInvalidInput,
      "a topic is the name of a file beneath the memory directory: letters, digits, - _ and ., "
      "and / between folders",
      "topic");
}

Result<MemoryReader> reader(OperationContext& ctx) {
  MemoryReader out;
  if (!is_run(ctx)) {
    out.workers = ctx.tx.workers();
    out.sees_all = true;
    return out;
  }
  ANDON_TRY(auto own, find_worker(ctx, ctx.caller.run->worker, "worker"));
  ANDON_TRY(auto const task, find_task(ctx, ctx.caller.run->task));
  out.workers.push_back(std::move(own));
  out.tags = task.tags;
  return out;
}

Result<std::string> named_topic(OperationContext& ctx, std::string const& topic) {
  if (is_run(ctx) && topic == kOwnTopic) return own_topic(ctx.caller.run->worker);
  return parse_topic(topic);
}

Result<std::string> topic_to_write(OperationContext& ctx, AddMemoryRequest const& r) {
  if (is_run(ctx)) {
    auto own = own_topic(ctx.caller.run->worker);
    bool const is_own = (r.topic.empty() || r.topic == kOwnTopic || r.topic == own) &&
                        (r.worker.empty() || r.worker == ctx.caller.run->worker);
    if (is_own) return own;
    return core::refuse(Code::kForbidden, "a run adds to the memory of its own worker alone",
                        r.worker.empty() ? "topic" : "worker");
  }
  if (r.topic.empty() == r.worker.empty())
    return core::refuse(Code::kInvalidInput, "say either \"worker\" or \"topic\"", "topic");
  if (!r.topic.empty()) return parse_topic(r.topic);
  ANDON_TRY(auto const worker, find_worker(ctx, r.worker, "worker"));
  return own_topic(worker.name);
}

/// When it was noted, and at which task or by whom.
Result<std::string> origin(OperationContext& ctx) {
  auto const day = core::to_text(ctx.now).substr(0, kDateCharacters);
  if (!is_run(ctx)) return day + " " + holder(ctx);
  ANDON_TRY(auto const task, find_task(ctx, ctx.caller.run->task));
  return day + " " + (task.key.empty() ? "#" + std::to_string(task.id) : task.key);
}

}  // namespace

std::string own_topic(std::string_view worker) { return "workers/" + std::string{worker} + ".md"; }

Result<MemoryReader> list_memory(OperationContext& ctx, NoRequest const&) { return reader(ctx); }

Result<TopicQuestion> show_memory(OperationContext& ctx, MemoryTopicRequest const& r) {
  ANDON_TRY(auto topic, named_topic(ctx, r.topic));
  ANDON_TRY(auto who, reader(ctx));
  return TopicQuestion{std::move(who), std::move(topic)};
}

Result<MemoryEntry> add_memory(OperationContext& ctx, AddMemoryRequest const& r) {
  ANDON_CHECK(check_text(r.text, "text", kEntryBytes));
  ANDON_TRY(auto topic, topic_to_write(ctx, r));
  ANDON_TRY(auto const from, origin(ctx));
  bool const rolls = topic.starts_with("workers/");
  return MemoryEntry{std::move(topic), from + ": " + r.text, rolls};
}

}  // namespace andon::service
