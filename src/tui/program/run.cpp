// The loop of the board in a terminal.
//
//   keys, signals, answers and the board's stream  →  step(model)  →  what is to be done, by BoardLink
//                                                  →  draw(model)  →  what differs on the screen, as bytes
//
// Everything that has happened is stepped through before one picture is drawn. While the terminal has not yet
// taken the picture before, none is drawn, so that a slow line is never behind; signals are obeyed meanwhile.
// Without anything to do the loop sleeps; every half a minute it wakes for the ages of the cards.
#include "tui/program/run.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <poll.h>

#include "os/system_error.hpp"
#include "tui/model/step.hpp"
#include "tui/program/board_link.hpp"
#include "tui/views/draw.hpp"

namespace andon::tui {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTick{30'000};
constexpr milliseconds kEscape{25};       ///< after which an Escape is a key
constexpr milliseconds kFarewell{2'000};  ///< for a change that is under way on a server
constexpr milliseconds kCongestion{20};   ///< before a congested terminal is looked at again

/// Sends pictures, each as what differs from the one before, in as many pieces as the line takes.
class PictureSender {
 public:
  PictureSender(os::Terminal& terminal, Colours colours) : terminal_(terminal), colours_(colours) {}

  /// The screen is another one: the next picture is sent whole.
  void forget() { shown_.reset(); }
  bool is_sending() const { return !unsent_.empty(); }
  bool is_free() const { return unsent_.empty() && !terminal_.is_congested(); }
  void begin(Picture picture) {
    unsent_ = painted(shown_ ? &*shown_ : nullptr, picture.cells, colours_, picture.cursor);
    shown_ = std::move(picture.cells);
  }
  void send() {
    if (is_sending()) unsent_.erase(0, terminal_.write(unsent_));
  }

 private:
  os::Terminal& terminal_;
  Colours const colours_;
  std::optional<CellBuffer> shown_;  ///< once all is sent
  std::string unsent_;
};

/// The person wants to leave.
struct Leaving {
  os::SteadyClock::time_point since;
  bool had_forms = false;  ///< some were not answered yet
};

class Loop {
 public:
  Loop(os::Terminal& terminal, os::SignalQueue& signals, os::Clock const& clock, BoardAccess access,
       Options options, Colours colours)
      : terminal_(terminal),
        signals_(signals),
        clock_(clock),
        sender_(terminal, colours),
        link_(std::move(access), mailbox_) {
    model_.options = std::move(options);
  }

  int run() {
    begin_screen();
    link_.start(ReadBoard{model_.options.board});
    while (!exit_) {
      if (needs_picture_ && sender_.is_free()) show();
      sender_.send();
      bool const has_input = wait();
      take_signals();
      take_input(has_input);
      for (auto& one : mailbox_.take()) happen(std::move(one));
      if (os::SteadyClock::now() - ticked_ >= kTick) tick();
      if (leaving_) leave();
    }
    return *exit_;
  }

 private:
  void begin_screen() {
    sender_.forget();
    auto const size = terminal_.size();
    happen(Resized{size.columns, size.rows});
  }

  /// Ends when what was typed is saved. A form that is refused opens again, and nobody leaves.
  void leave() {
    bool const is_refused = leaving_->had_forms && model_.sent.empty() && model_.notice.is_refusal;
    if (is_refused) return leaving_.reset();
    if (model_.sent.empty() || os::SteadyClock::now() - leaving_->since >= kFarewell) exit_ = 0;
  }

  void tick() {
    ticked_ = os::SteadyClock::now();
    happen(Tick{});
  }

  void happen(Happening one) {
    for (auto& effect : step(model_, std::move(one), clock_.now()))
      std::visit([this](auto& wanted) { act(std::move(wanted)); }, effect);
    needs_picture_ = true;
  }

  void act(Ask ask) { link_.start(std::move(ask)); }
  void act(ReadOutput read) { link_.start(std::move(read)); }
  void act(ReadBoard read) { link_.start(std::move(read)); }
  void act(Quit) { leaving_ = Leaving{os::SteadyClock::now(), !model_.sent.empty()}; }
  void act(Suspend) {
    terminal_.leave();
    os::stop_job();
    resume();
  }

  void resume() {
    terminal_.enter();
    begin_screen();
  }

  void show() {
    sender_.begin(draw(model_));
    needs_picture_ = false;
  }

  milliseconds patience() const {
    if (reader_.is_open()) return kEscape;
    if (leaving_) return kFarewell;
    if (needs_picture_ && !sender_.is_sending()) return kCongestion;
    auto const since = std::chrono::duration_cast<milliseconds>(os::SteadyClock::now() - ticked_);
    return std::max(milliseconds{0}, kTick - since);
  }

  /// Sleeps until something happens. True when the terminal has sent bytes.
  bool wait() {
    std::array<pollfd, 4> waiting{pollfd{terminal_.input(), POLLIN, 0}, pollfd{signals_.handle(), POLLIN, 0},
                                  pollfd{mailbox_.handle(), POLLIN, 0},
                                  pollfd{sender_.is_sending() ? terminal_.output() : -1, POLLOUT, 0}};
    ::poll(waiting.data(), waiting.size(), static_cast<int>(patience().count()));
    return waiting[0].revents != 0;
  }

  void take_signals() {
    while (auto const signal = signals_.next()) {
      if (*signal == SIGWINCH) begin_screen();
      if (*signal == SIGTSTP) act(Suspend{});
      if (*signal == SIGCONT) resume();
      if (*signal == SIGTERM || *signal == SIGHUP || *signal == SIGINT) exit_ = 128 + *signal;
    }
  }

  void take_input(bool has_input) {
    if (exit_) return;
    if (!has_input) {
      if (reader_.is_open())
        for (auto& input : reader_.flush()) take(std::move(input));
      return;
    }
    for (auto& input : reader_.take(terminal_.read())) take(std::move(input));
  }

  void take(Input input) {
    std::visit([this](auto& one) { happen(std::move(one)); }, input);
  }

  os::Terminal& terminal_;
  os::SignalQueue& signals_;
  os::Clock const& clock_;
  PictureSender sender_;
  Model model_;
  Mailbox mailbox_;
  BoardLink link_;
  InputReader reader_;
  std::optional<int> exit_;
  std::optional<Leaving> leaving_;
  os::SteadyClock::time_point ticked_ = os::SteadyClock::now();
  bool needs_picture_ = true;
};

/// Ends the process when its threads do not end soon after the screen is left: a server may not answer any
/// more. Files are waited for, because a change of them is under way.
class EndInTime {
 public:
  EndInTime(bool is_server, int const& code) : is_server_(is_server), code_(code) {}
  EndInTime(EndInTime const&) = delete;
  ~EndInTime() {
    if (is_server_) os::exit_quietly_after(kFarewell, code_);
  }

 private:
  bool is_server_;
  int const& code_;
};

}  // namespace

int run_board(os::Terminal& terminal, os::SignalQueue& signals, os::Clock const& clock, BoardAccess access,
              Options options, Colours colours) try {
  int code = 128 + SIGHUP;
  bool const is_server = access.is_shared && access.files.empty();
  Loop loop{terminal, signals, clock, std::move(access), std::move(options), colours};
  EndInTime const end_in_time{is_server, code};
  terminal.enter();
  code = loop.run();
  terminal.leave();
  return code;
} catch (os::SystemError const&) {
  // The terminal is gone, as after a hang-up.
  return 128 + SIGHUP;
}

Colours colours_of(std::string_view no_color, std::string_view colorterm, std::string_view term) {
  if (!no_color.empty() || term.empty() || term == "dumb") return Colours::none;
  if (colorterm == "truecolor" || colorterm == "24bit" || term.ends_with("-direct")) return Colours::rgb;
  return term.contains("256color") ? Colours::palette : Colours::sixteen;
}

}  // namespace andon::tui
