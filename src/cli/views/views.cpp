#include "cli/views/views.hpp"

#include <array>

#include <boost/json/serialize.hpp>

#include "cli/command_line/safe_text.hpp"
#include "cli/views/automation_views.hpp"
#include "cli/views/board_views.hpp"
#include "cli/views/flow_views.hpp"
#include "cli/views/frozen_view.hpp"
#include "cli/views/memory_views.hpp"
#include "cli/views/task_views.hpp"
#include "cli/views/team_views.hpp"
#include "cli/views/waiting_views.hpp"
#include "cli/views/work_views.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Result;

template <class T, auto Draw>
Result<std::string> drawn(json::value const& answer, Screen const& screen) {
  ANDON_TRY(auto const typed, answer_as<T>(answer));
  return Draw(typed, screen);
}

struct View {
  std::string_view type;
  Result<std::string> (*draw)(json::value const&, Screen const&);
};
constexpr std::array kViews{
    View{"Boards", &drawn<service::Boards, &board_list>},
    View{"Board", &drawn<core::Board, &board_page>},
    View{"Workers", &drawn<service::Workers, &worker_list>},
    View{"Runs", &drawn<service::Runs, &run_list>},
    View{"DispatchBlockers", &drawn<service::DispatchBlockers, &why_page>},
    View{"Accounts", &drawn<service::Accounts, &account_list>},
    View{"DispatchStatus", &drawn<service::DispatchStatus, &dispatch_page>},
    View{"Frozen", &drawn<service::Frozen, &frozen_line>},
    View{"Tokens", &drawn<service::Tokens, &token_list>},
    View{"Automations", &drawn<service::Automations, &automation_list>},
    View{"Automation", &drawn<core::Automation, &automation_page>},
    View{"SearchHits", &drawn<service::SearchHits, &search_hits>},
    View{"FlowMetrics", &drawn<service::FlowMetrics, &metrics_page>},
    View{"RunDiff", &drawn<service::RunDiff, &diff_page>},
    View{"WorkList", &drawn<service::WorkList, &work_page>},
    View{"WorkCleaned", &drawn<service::WorkCleaned, &cleaned_page>},
    View{"Prompt", &drawn<service::Prompt, &prompt_page>},
    View{"MemoryTopics", &drawn<service::MemoryTopics, &topic_list>},
    View{"MemoryText", &drawn<service::MemoryText, &topic_page>},
    View{"MemoryAdded", &drawn<service::MemoryAdded, &added_line>},
    View{"Forecast", &drawn<service::Forecast, &forecast_page>},
};

std::string plain(json::value const& value) {
  if (auto const* text = value.if_string()) return {text->data(), text->size()};
  auto const* items = value.if_array();
  if (!items) return json::serialize(value);
  std::string out;
  for (auto const& item : *items) out += (out.empty() ? "" : ", ") + plain(item);
  return out;
}

std::string key_lines(json::value const& answer) {
  auto const* object = answer.if_object();
  if (!object) return one_line(plain(answer)) + "\n";
  std::string out;
  for (auto const& [key, value] : *object)
    if (!value.is_null()) out += one_line(std::string{key.data(), key.size()} + ": " + plain(value)) + "\n";
  return out;
}

/// A list without items is said on stderr, so that scripts get nothing.
bool is_empty_list(json::value const& answer) {
  auto const* object = answer.if_object();
  auto const* items = object ? object->if_contains("items") : nullptr;
  return items && items->is_array() && items->get_array().empty();
}

}  // namespace

std::string filled(std::string_view sentence, json::object const& answer) {
  std::string out;
  while (!sentence.empty()) {
    auto const open = sentence.find('{');
    out += sentence.substr(0, open);
    if (open == std::string_view::npos) break;
    auto const close = sentence.find('}', open);
    out += one_line(text_of(answer, sentence.substr(open + 1, close - open - 1)));
    sentence.remove_prefix(close + 1);
  }
  return out;
}

Result<std::string> view_of(Invocation& in, api::Operation const& operation, json::value const& answer) {
  if (!operation.command.says.empty() && answer.is_object())
    return filled(operation.command.says, answer.get_object()) + "\n";
  if (is_empty_list(answer)) {
    in.screen().tell("Nothing found.");
    return std::string{};
  }
  for (auto const& view : kViews)
    if (view.type == operation.response->name) return view.draw(answer, in.screen());
  return key_lines(answer);
}

}  // namespace andon::cli
