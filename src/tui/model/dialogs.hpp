#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/model/task.hpp"
#include "service/insight/why.hpp"
#include "tui/model/messages.hpp"
#include "tui/model/text_field.hpp"
#include "tui/screen/style.hpp"

namespace andon::tui {

/// The reading of a page's task. A page is read again when the card of its task has another revision.
struct PageReading {
  static constexpr core::Revision kStale = -1;
  core::Revision rev = kStale;  ///< of the card when the page was asked for last
  bool is_asked = false;        ///< its answer has not come yet
};

/// A part of a line of a page.
struct Span {
  std::string text;
  Style style{};
};
using PageLine = std::vector<Span>;

/// The lines of a task's page, and what they were made from.
struct TaskPageText {
  std::vector<PageLine> lines{};
  int width = -1;  ///< none before they are made
  bool is_live = false;
  std::string title{};    ///< of the card
  std::string failure{};  ///< of the card
  std::optional<core::Task> read{};
  std::vector<service::DispatchBlocker> reasons{};
};

/// The page of one task.
struct TaskPage {
  core::TaskId task = 0;
  std::optional<core::Task> read{};
  std::vector<service::DispatchBlocker> reasons{};
  int offset = 0;  ///< lines scrolled away
  PageReading reading{};
  TaskPageText text{};
};

/// A choice of one of several words: the column to move to, the board to go to.
struct Picker {
  std::string title;
  std::vector<std::string> words;
  std::vector<std::string> shown;  ///< the words as they are drawn
  std::size_t at = 0;
  core::TaskId task = 0;  ///< the task to move; none when a board is chosen
};

/// Creating a task, or editing one, in four steps.
struct TaskForm {
  static constexpr int kSteps = 4;
  core::TaskId edits = 0;  ///< none when a task is created
  std::string status;
  int step = 0;
  TextField title{false};
  TextField body{true};
  std::size_t priority = 0;  ///< of the board's; beyond them for one that it does not know
  TextField tags{false};
  bool is_body_typed = false;  ///< the brief that is read does not replace it
  std::optional<core::Task> before{};
  bool is_outdated = false;  ///< the task has changed since `before`; it is being read again
  int conflicts = 0;         ///< how often that happened
};

/// A question that is answered with y or n.
struct Confirmation {
  std::string text;
  std::string detail;
  Effect act;
};

/// A verb that needs a text, such as the reason or the answer to a question.
struct TextPrompt {
  std::string title;
  std::string question;
  std::vector<std::string> choices;
  TextField text{true};
  Ask ask;
  std::string field;  ///< of the request, which the text becomes
};

/// The line in which the filter is typed.
struct FilterLine {
  TextField text{false};
  std::string before;
};

/// Text to scroll through.
struct TextPage {
  enum class Kind { help, debug, output, diff, workers };
  Kind kind = Kind::help;
  std::string title;
  std::vector<PageLine> lines;
  int offset = 0;
  bool follows = false;  ///< the end stays in sight while lines are added
  core::TaskId task = 0;
  core::RunId run = 0;         ///< whose output or changes are shown
  core::RunId sought_run = 0;  ///< of the card when the runs were asked for last
  PageReading reading{};
  std::string next;        ///< where the rest of the output begins
  bool is_asking = false;  ///< for the rest of the output
  bool is_behind = false;  ///< lines came since it was asked for
};

/// The list of tasks of this board that wait for a person, with the selected one.
struct Inbox {
  std::size_t at = 0;
  core::TaskId task = 0;
};

using Dialog =
    std::variant<TaskPage, Picker, TaskForm, Confirmation, TextPrompt, FilterLine, TextPage, Inbox>;

/// A page fills the screen and is only read. The other dialogs take an input or a choice.
inline bool is_page(Dialog const& dialog) {
  return std::holds_alternative<TaskPage>(dialog) || std::holds_alternative<TextPage>(dialog) ||
         std::holds_alternative<Inbox>(dialog);
}

/// The page with the changes of that task, if the dialog is one.
inline TextPage const* page_of_changes(Dialog const& dialog, core::TaskId task) {
  auto const* page = std::get_if<TextPage>(&dialog);
  return page && page->kind == TextPage::Kind::diff && page->task == task ? page : nullptr;
}

}  // namespace andon::tui
