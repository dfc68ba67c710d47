#pragma once

#include "core/model/worker.hpp"
#include "service/requests.hpp"

namespace andon::service {

// Memory lies in files of the machine: topics, each a Markdown file beneath `memory` of the data directory.
// Here is who may see and write which, and what the machine answers.

/// The topic a run's worker keeps itself.
inline constexpr std::string_view kOwnTopic = "own";

/// The reader of the memory, who decides which topics are visible.
struct MemoryReader {
  std::vector<core::Worker> workers;  ///< all that may be told topics; a run's own alone
  bool sees_all = false;              ///< a person does; a run sees what its worker was given
  std::vector<std::string> tags;      ///< of the run's task
};
void describe(auto& field, MemoryReader const*) {
  field(&MemoryReader::workers, "workers");
  field(&MemoryReader::sees_all, "sees_all");
  field(&MemoryReader::tags, "tags");
}

struct MemoryTopicView {
  std::string topic;
  std::string given_to;
  std::int64_t bytes = 0;
  core::Instant changed{};
};
void describe(auto& field, MemoryTopicView const*) {
  field(&MemoryTopicView::topic, "topic", "File beneath the memory directory", core::always);
  field(&MemoryTopicView::given_to, "given_to", "Who gets it with every task", core::always);
  field(&MemoryTopicView::bytes, "bytes", "Its length", core::always);
  field(&MemoryTopicView::changed, "changed", "When it was changed", core::always);
}

struct MemoryTopics {
  std::vector<MemoryTopicView> items;
};
void describe(auto& field, MemoryTopics const*) {
  field(&MemoryTopics::items, "items", "The topics", core::always);
}

core::Result<MemoryReader> list_memory(OperationContext& ctx, NoRequest const&);

struct MemoryTopicRequest {
  std::string topic;
};
void describe(auto& field, MemoryTopicRequest const*) {
  field(&MemoryTopicRequest::topic, "topic",
        "File beneath the memory directory; in a run, own is its worker's", core::required);
}

struct TopicQuestion {
  MemoryReader reader;
  std::string topic;
};
void describe(auto& field, TopicQuestion const*) {
  field(&TopicQuestion::reader, "reader");
  field(&TopicQuestion::topic, "topic");
}

struct MemoryText {
  std::string topic;
  std::string text;
};
void describe(auto& field, MemoryText const*) {
  field(&MemoryText::topic, "topic", "The topic", core::always);
  field(&MemoryText::text, "text", "What is in it", core::always);
}

core::Result<TopicQuestion> show_memory(OperationContext& ctx, MemoryTopicRequest const& request);

struct AddMemoryRequest {
  std::string text;
  std::string topic;
  std::string worker;
};
void describe(auto& field, AddMemoryRequest const*) {
  field(&AddMemoryRequest::text, "text", "What is worth remembering, at most 2 KiB", core::required);
  field(&AddMemoryRequest::topic, "topic", "Topic it belongs to; in a run only own");
  field(&AddMemoryRequest::worker, "worker", "Worker whose own topic it belongs to");
}

/// An entry to be put at the end of a topic.
struct MemoryEntry {
  std::string topic;
  std::string text;
  bool rolls = false;  ///< the oldest entries make room, where a topic of people refuses
};
void describe(auto& field, MemoryEntry const*) {
  field(&MemoryEntry::topic, "topic");
  field(&MemoryEntry::text, "text");
  field(&MemoryEntry::rolls, "rolls");
}

struct MemoryAdded {
  std::string topic;
  std::int64_t bytes = 0;
  std::int64_t dropped = 0;
};
void describe(auto& field, MemoryAdded const*) {
  field(&MemoryAdded::topic, "topic", "Where it was added", core::always);
  field(&MemoryAdded::bytes, "bytes", "Its length now", core::always);
  field(&MemoryAdded::dropped, "dropped", "How many of the oldest entries made room", core::set_only);
}

/// A run writes to its own worker's topic alone; people to any.
core::Result<MemoryEntry> add_memory(OperationContext& ctx, AddMemoryRequest const& request);

/// `workers/NAME.md`.
std::string own_topic(std::string_view worker);

}  // namespace andon::service
