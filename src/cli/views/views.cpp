#include "cli/views/views.hpp"

#include <array>
#include <span>

#include <boost/json/serialize.hpp>

#include "api/operation.hpp"
#include "cli/command_line/safe_text.hpp"
#include "cli/views/attachment_views.hpp"
#include "cli/views/automation_views.hpp"
#include "cli/views/board_views.hpp"
#include "cli/views/flow_views.hpp"
#include "cli/views/frozen_view.hpp"
#include "cli/views/memory_views.hpp"
#include "cli/views/runner_views.hpp"
#include "cli/views/task_views.hpp"
#include "cli/views/team_views.hpp"
#include "cli/views/waiting_views.hpp"
#include "cli/views/work_views.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Result;

template <class F>
struct Drawn;
template <class T>
struct Drawn<std::string (*)(T const&, Screen const&)> {
  using Type = T;
};

/// The text form of answers of one type.
struct View {
  reflect::Type const* type;
  Result<std::string> (*draw)(json::value const&, Screen const&);
};

/// The view that a function draws, for the type of its argument.
template <auto Draw>
View view() {
  using T = typename Drawn<decltype(Draw)>::Type;
  return {&reflect::type_of<T>(), [](json::value const& answer, Screen const& screen) -> Result<std::string> {
            ANDON_TRY(auto const typed, answer_as<T>(answer));
            return Draw(typed, screen);
          }};
}

std::span<View const> views() {
  static std::array const all{view<&board_list>(),      view<&board_page>(),     view<&changed_board_page>(),
                              view<&worker_list>(),     view<&run_list>(),       view<&why_page>(),
                              view<&account_list>(),    view<&fault_list>(),     view<&dispatch_page>(),
                              view<&frozen_line>(),     view<&token_list>(),     view<&automation_list>(),
                              view<&automation_page>(), view<&search_hits>(),    view<&metrics_page>(),
                              view<&diff_page>(),       view<&work_page>(),      view<&cleaned_page>(),
                              view<&opened_page>(),     view<&prompt_page>(),    view<&topic_list>(),
                              view<&topic_page>(),      view<&added_line>(),     view<&forecast_page>(),
                              view<&attachment_list>(), view<&attention_list>(), view<&plan_page>(),
                              view<&copy_list>(),       view<&runner_list>()};
  return all;
}

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
  for (auto const& view : views())
    if (view.type == operation.response) return view.draw(answer, in.screen());
  return key_lines(answer);
}

}  // namespace andon::cli
