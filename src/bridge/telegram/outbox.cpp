#include "bridge/telegram/outbox.hpp"

#include <algorithm>
#include <set>

#include "bridge/telegram/markup.hpp"
#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "os/random.hpp"

namespace andon::bridge::telegram {
namespace {

constexpr std::size_t kIdBytes = 12;  // random ones; a handle has at most 64 bytes
constexpr core::Duration kLifeOfButtons = std::chrono::hours{7 * 24};
constexpr std::size_t kMarkUnits = 32;  // for a note that a message was sent again
constexpr std::size_t kLongestLabel = 64;
constexpr std::size_t kMostRows = 20;
constexpr std::size_t kMostInRow = 8;
constexpr std::size_t kMostLines = 30;
constexpr std::size_t kLongestLine = 110;

std::string one_line(std::string_view text, std::size_t most) {
  auto const line = core::visible_line(text);
  return line.size() <= most ? line : std::string{core::beginning(line, most)} + "…";
}

/// Writes the labels into the post and returns the acts in their order.
std::vector<std::string> take_buttons(OutMessage const& message, Post& post) {
  std::vector<std::string> acts;
  for (auto const& row : message.buttons) {
    if (post.labels.size() == kMostRows) break;
    std::vector<std::string> labels;
    for (auto const& button : row) {
      if (labels.size() == kMostInRow) break;
      labels.push_back(one_line(button.label, kLongestLabel));
      acts.push_back(button.act);
    }
    if (!labels.empty()) post.labels.push_back(std::move(labels));
  }
  return acts;
}

Post post_of(OutMessage const& message, std::string html, core::Instant due) {
  return {.id = os::random_hex(kIdBytes),
          .place = message.place,
          .html = std::move(html),
          .labels = {},
          .about = message.about,
          .key = message.key,
          .replaces = message.replaces,
          .asks = false,
          .is_silent = message.is_silent,
          .news = message.news.empty() ? "" : one_line(message.news, kLongestLine),
          .lines = {},
          .due = due};
}

/// The waiting post whose place the message takes.
std::vector<Post>::iterator replaced_post(State& state, OutMessage const& message) {
  return std::ranges::find_if(state.outbox, [&](Post const& post) {
    return !message.replaces.empty() && !post.is_tried && post.place.chat == message.place.chat &&
           (post.key == message.replaces || post.replaces == message.replaces);
  });
}

/// Another post must still edit what the replaced one would have edited.
void put(State& state, Post post, OutMessage const& message) {
  auto const old = replaced_post(state, message);
  if (old == state.outbox.end()) {
    state.outbox.push_back(std::move(post));
    return;
  }
  remove_keyboard(state, old->id);
  post.replaces = old->replaces;
  *old = std::move(post);
}

bool is_news(Post const& post) { return !post.news.empty() || !post.lines.empty(); }

void fold_into(Post& summary, Post const& post) {
  if (!post.news.empty()) summary.lines.push_back(post.news);
  summary.lines.insert(summary.lines.end(), post.lines.begin(), post.lines.end());
  summary.left_out += post.left_out;
  summary.is_silent = summary.is_silent && post.is_silent;
  summary.due = std::min(summary.due, post.due);
}

/// Folds the news of a place, with buttons or without them, when more than `most` wait.
void fold(State& state, Place const& place, bool with_buttons, std::size_t most) {
  auto const counts = [&](Post const& post) {
    return post.place == place && is_news(post) && !post.is_tried && post.labels.empty() != with_buttons;
  };
  auto const count = static_cast<std::size_t>(std::ranges::count_if(state.outbox, counts));
  if (count <= most) return;
  auto const first = std::ranges::find_if(state.outbox, counts);
  Post summary{.id = os::random_hex(kIdBytes),
               .place = place,
               .is_silent = first->is_silent,
               .lines = {},
               .due = first->due};
  for (auto const& post : state.outbox)
    if (counts(post)) {
      fold_into(summary, post);
      remove_keyboard(state, post.id);
    }
  if (summary.lines.size() > kMostLines) {
    auto const excess = static_cast<std::ptrdiff_t>(summary.lines.size() - kMostLines);
    summary.lines.erase(summary.lines.begin(), summary.lines.begin() + excess);
    summary.left_out += excess;
  }
  *first = std::move(summary);
  state.outbox.erase(std::remove_if(first + 1, state.outbox.end(), counts), state.outbox.end());
}

}  // namespace

void add_message(State& state, OutMessage const& message, Timing const& timing) {
  auto parts = html_parts(message.text, kMostUnits - kMarkUnits);
  if (parts.empty()) return;
  bool const is_replaceable = !message.key.empty() || !message.replaces.empty();
  if (is_replaceable) parts.resize(1);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto post = post_of(message, parts[i], timing.due);
    if (i + 1 == parts.size()) {
      post.asks = message.asks;
      auto acts = take_buttons(message, post);
      if (!acts.empty())
        state.keyboards.push_back(
            {post.id, message.place.chat, std::move(acts), timing.now + kLifeOfButtons});
    }
    put(state, std::move(post), message);
  }
  if (message.news.empty()) return;
  fold(state, message.place, false, timing.is_collected ? 1 : kMostNews);
  fold(state, message.place, true, kMostNewsWithButtons);
}

void reschedule_news(State& state, std::function<core::Instant(core::Instant due)> const& due_of) {
  for (auto& post : state.outbox)
    if (is_news(post) && !post.is_tried) post.due = due_of(post.due);
}

NextPost next_post(State const& state, Pace const& pace, core::Instant now, core::Duration uptime) {
  NextPost out;
  std::set<std::int64_t> seen;
  for (auto const& post : state.outbox) {
    auto wait = std::max(core::Duration{}, post.due - now);
    if (wait == core::Duration{}) {
      if (!seen.insert(post.place.chat).second) continue;
      wait = pace.wait(post.place.chat, uptime);
    }
    if (wait == core::Duration{}) return {post, wait};
    if (!out.wait || wait < *out.wait) out.wait = wait;
  }
  return out;
}

std::string html_of(Post const& post) {
  if (!post.html.empty()) return post.html;
  std::vector<Span> text{{"While you were away", Style::bold}};
  if (post.left_out > 0)
    text.push_back({"\n" + std::to_string(post.left_out) + " earlier messages are left out."});
  for (auto const& line : post.lines) text.push_back({"\n• " + line});
  return html_parts(text, kMostUnits - kMarkUnits).front();
}

void remove_keyboard(State& state, std::string_view id) {
  std::erase_if(state.keyboards, [&](Keyboard const& keyboard) { return keyboard.id == id; });
}

void remove_post(State& state, std::string_view id) {
  std::erase_if(state.outbox, [&](Post const& post) { return post.id == id; });
  remove_keyboard(state, id);
}

void note_sent(State& state, Post const& post, std::int64_t message) {
  std::erase_if(state.outbox, [&](Post const& one) { return one.id == post.id; });
  std::erase_if(state.sent, [&](SentMessage const& sent) {
    bool const is_old = sent.chat == post.place.chat &&
                        (sent.message == message || (!post.key.empty() && sent.key == post.key));
    if (is_old && sent.message == message) remove_keyboard(state, sent.keyboard);
    return is_old;
  });
  if (message == 0 || (post.about.empty() && post.key.empty() && post.labels.empty())) return;
  state.sent.push_back({post.place.chat, message, post.about, post.key, post.labels.empty() ? "" : post.id});
}

}  // namespace andon::bridge::telegram
