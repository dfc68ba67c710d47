#include "service/workers/memory.hpp"

#include <algorithm>

#include "core/text/names.hpp"
#include "service/check_text.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::size_t kLongestTopic = 200;
constexpr std::size_t kDay = 10;  // characters of a date
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

Result<MemoryReader> reader(Unit& u) {
  MemoryReader out;
  if (!is_run(u)) {
    out.workers = u.tx.workers();
    out.sees_all = true;
    return out;
  }
  ANDON_TRY(auto own, find_worker(u, u.caller.run->worker, "worker"));
  ANDON_TRY(auto const task, find_task(u, u.caller.run->task));
  out.workers.push_back(std::move(own));
  out.tags = task.tags;
  return out;
}

Result<std::string> named_topic(Unit& u, std::string const& topic) {
  if (is_run(u) && topic == kOwnTopic) return own_topic(u.caller.run->worker);
  return parse_topic(topic);
}

Result<std::string> topic_to_write(Unit& u, AddMemoryRequest const& r) {
  if (is_run(u)) {
    auto own = own_topic(u.caller.run->worker);
    bool const is_own = (r.topic.empty() || r.topic == kOwnTopic || r.topic == own) &&
                        (r.worker.empty() || r.worker == u.caller.run->worker);
    if (is_own) return own;
    return core::refuse(Code::kForbidden, "a run adds to the memory of its own worker alone",
                        r.worker.empty() ? "topic" : "worker");
  }
  if (r.topic.empty() == r.worker.empty())
    return core::refuse(Code::kInvalidInput, "say either \"worker\" or \"topic\"", "topic");
  if (!r.topic.empty()) return parse_topic(r.topic);
  ANDON_TRY(auto const worker, find_worker(u, r.worker, "worker"));
  return own_topic(worker.name);
}

/// When it was noted, and at which task or by whom.
Result<std::string> origin(Unit& u) {
  auto const day = core::to_text(u.now).substr(0, kDay);
  if (!is_run(u)) return day + " " + holder(u);
  ANDON_TRY(auto const task, find_task(u, u.caller.run->task));
  return day + " " + (task.key.empty() ? "#" + std::to_string(task.id) : task.key);
}

}  // namespace

std::string own_topic(std::string_view worker) { return "workers/" + std::string{worker} + ".md"; }

Result<MemoryReader> list_memory(Unit& u, NoRequest const&) { return reader(u); }

Result<TopicQuestion> show_memory(Unit& u, MemoryTopicRequest const& r) {
  ANDON_TRY(auto topic, named_topic(u, r.topic));
  ANDON_TRY(auto who, reader(u));
  return TopicQuestion{std::move(who), std::move(topic)};
}

Result<MemoryEntry> add_memory(Unit& u, AddMemoryRequest const& r) {
  ANDON_CHECK(check_text(r.text, "text", kEntryBytes));
  ANDON_TRY(auto topic, topic_to_write(u, r));
  ANDON_TRY(auto const from, origin(u));
  bool const rolls = topic.starts_with("workers/");
  return MemoryEntry{std::move(topic), from + ": " + r.text, rolls};
}

}  // namespace andon::service
