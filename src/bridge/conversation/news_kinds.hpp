#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/model/stage.hpp"
#include "core/model/task.hpp"
#include "service/history/history.hpp"

namespace andon::bridge {

/// The kinds of news, in the order of `kNewsKinds`.
enum class NewsKind {
  done,
  failed,
  blocked,
  question,
  killed,
  stale,
  limit,
  review,
  conflict,
  stopped,
  approval
};

/// An event with what must be known beside it to judge it.
struct Happening {
  service::WireEvent const& event;
  core::Task const* task;            ///< as it is now; null for an event without one
  std::optional<core::Stage> stage;  ///< of the column it came into
};

/// A text among the facts of an event; empty when it does not have it.
std::string fact_in(service::WireEvent const& event, std::string_view name);

/// A condition beside the kind, the column and a fact of an event.
using NewsCondition = bool (*)(Happening const&);

/// The events that are news of a kind. The first row that fits an event decides.
struct NewsRow {
  core::EventKind event{};
  NewsKind news{};
  std::optional<core::Stage> stage{};  ///< of the column that the task came into
  std::string_view fact{};             ///< only with this fact …
  std::string_view value{};            ///< … of this value; of any when empty
  NewsCondition only = nullptr;
  bool to_author = false;  ///< told also to the chat that did it
};
std::span<NewsRow const> news_rows();

/// The row of an event; null when it is no news.
NewsRow const* news_in(Happening const& happening);

}  // namespace andon::bridge
