#include "cli/views/memory_views.hpp"

#include "cli/command_line/safe_text.hpp"
#include "cli/views/task_views.hpp"

namespace andon::cli {

std::string topic_list(service::MemoryTopics const& topics, Screen const& screen) {
  Table table({{"TOPIC"}, {"BYTES"}, {"CHANGED"}, {"GIVEN TO"}});
  std::string lines;
  for (auto const& topic : topics.items) {
    table.add({topic.topic, std::to_string(topic.bytes), minute_of(topic.changed), topic.given_to});
    lines += one_line(topic.topic + " " + std::to_string(topic.bytes) + " to:" + topic.given_to) + "\n";
  }
  return screen.is_compact() ? lines : screen.drawn(table);
}

std::string topic_page(service::MemoryText const& topic, Screen const&) {
  auto out = many_lines(topic.text);
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  return out;
}

std::string added_line(service::MemoryAdded const& added, Screen const&) {
  auto out = "Added to " + one_line(added.topic);
  if (added.dropped > 0)
    out += "; " + std::to_string(added.dropped) + (added.dropped == 1 ? " old entry" : " old entries") +
           " made room";
  return out + "\n";
}

std::string prompt_page(service::Prompt const& prompt, Screen const&) {
  auto const apart = prompt.role.empty() ? std::string{} : many_lines(prompt.role) + "\n";
  return apart + many_lines(prompt.prompt);
}

}  // namespace andon::cli
