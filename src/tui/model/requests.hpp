#pragma once

#include "api/row_of.hpp"
#include "tui/model/model.hpp"

namespace andon::tui {

/// An ask for the operation of a service function.
template <auto F>
Ask ask_for(Purpose purpose, boost::json::object request, core::TaskId task = 0) {
  return {purpose, &api::row_of<F>(), std::move(request), task, {}, {}};
}

Ask move_to(Model const& model, service::Card const& card, std::string_view status);
Ask set_priority(Model const& model, service::Card const& card, std::string_view priority);
Ask delete_task(Model const& model, service::Card const& card);
/// The request of a filled-in form; nothing for an edit without a change. The edited task has been read
/// before.
std::optional<Ask> save_form(Model const& model, TaskForm const& form);
Ask read_task(Purpose purpose, core::TaskId task);

/// Tags as they are typed, with commas between them.
std::vector<std::string> tags_in(std::string_view text);
std::string tags_text(std::vector<std::string> const& tags);

}  // namespace andon::tui
