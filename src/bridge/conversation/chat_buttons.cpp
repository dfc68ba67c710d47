#include "bridge/conversation/chat_buttons.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "bridge/conversation/chat_text.hpp"
#include "bridge/conversation/task_message.hpp"
#include "core/model/stage.hpp"
#include "core/model/task.hpp"

namespace andon::bridge {
namespace {

using core::Code;

/// The words of an act or of what a reply is about: `answer 42 2 1f3a…`, `question 42 1f3a…`.
struct Words {
  std::string_view verb, task, third, fourth;
};

std::string_view next_word(std::string_view& text) {
  auto const word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(word.size() + 1, text.size()));
  return word;
}

Words words_of(std::string_view text) {
  Words out;
  for (auto* word : {&out.verb, &out.task, &out.third, &out.fourth}) *word = next_word(text);
  return out;
}

std::unexpected<core::Error> unknown() {
  return core::refuse(Code::kInvalidInput, "this message is too old to be used");
}

Said ask_for_reason(ChatBoard& chat_board, std::string_view id) {
  ANDON_TRY(auto const task, chat_board.task(id));
  if (task.stage != core::Stage::review)
    return core::refuse(Code::kIllegalTransition, task_label(task) + " does not wait for a verdict");
  auto out = chat_board.message();
  out.text = {{"What must be better in " + task_label(task) + "? Please reply to this message."}};
  out.about = "reject " + std::to_string(task.id);
  out.asks = true;
  return out;
}

Said choose(ChatBoard& chat_board, Words const& words) {
  std::size_t choice = 0;
  auto const* end = words.third.data() + words.third.size();
  auto const read = std::from_chars(words.third.data(), end, choice);
  if (read.ptr != end || choice == 0 || words.fourth.empty()) return unknown();
  return answer(chat_board, words.task, {{}, choice, words.fourth});
}

struct PressRow {
  std::string_view verb;
  Said (*run)(ChatBoard&, Words const&);
};
constexpr std::array kPresses{
    PressRow{"approve", [](ChatBoard& b, Words const& w) { return approve(b, w.task); }},
    PressRow{"accept", [](ChatBoard& b, Words const& w) { return accept(b, w.task); }},
    PressRow{"reject", [](ChatBoard& b, Words const& w) { return ask_for_reason(b, w.task); }},
    PressRow{"kill", [](ChatBoard& b, Words const& w) { return kill(b, w.task); }},
    PressRow{"retry", [](ChatBoard& b, Words const& w) { return retry(b, w.task); }},
    PressRow{"start", [](ChatBoard& b, Words const& w) { return start(b, w.task); }},
    PressRow{"output", [](ChatBoard& b, Words const& w) { return follow(b, w.task); }},
    PressRow{"unwatch", [](ChatBoard& b, Words const& w) { return unfollow(b, w.task); }},
    PressRow{"answer", &choose},
};

struct ReplyRow {
  std::string_view about;
  Said (*run)(ChatBoard&, Words const&, std::string_view text);
};
constexpr std::array kReplies{
    ReplyRow{"question", [](ChatBoard& b, Words const& w,
                            std::string_view text) { return answer(b, w.task, {text, 0, w.third}); }},
    ReplyRow{"task",
             [](ChatBoard& b, Words const& w, std::string_view text) { return note(b, w.task, text); }},
    ReplyRow{"reject",
             [](ChatBoard& b, Words const& w, std::string_view text) { return reject(b, w.task, text); }},
};

}  // namespace

Said press(ChatBoard& chat_board, std::string_view act) {
  auto const words = words_of(act);
  auto const* const row = std::ranges::find(kPresses, words.verb, &PressRow::verb);
  return row == kPresses.end() || words.task.empty() ? Said{unknown()} : row->run(chat_board, words);
}

Said reply(ChatBoard& chat_board, std::string_view about, std::string_view text) {
  auto const words = words_of(about);
  auto const* const row = std::ranges::find(kReplies, words.verb, &ReplyRow::about);
  return row == kReplies.end() || words.task.empty() ? Said{unknown()} : row->run(chat_board, words, text);
}

}  // namespace andon::bridge
