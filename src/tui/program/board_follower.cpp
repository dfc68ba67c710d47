#include "tui/program/board_follower.hpp"

#include <algorithm>

namespace andon::tui {
namespace {

namespace fs = std::filesystem;

constexpr int kQuiet = 100;           ///< ms without a further change before files are read
constexpr int kBetweenLooks = 2'000;  ///< ms, where the machine has no watch left
constexpr std::chrono::milliseconds kBetweenTries{1'000};  ///< to reach a server that is away

bool concerns_board(os::DirectoryWatch::Touched const& touched) {
  return touched.everything || std::ranges::any_of(touched.names, [](std::string const& name) {
           return name == "config.yml" || (name.ends_with(".md") && !name.starts_with('.'));
         });
}

/// Watches the board's directory and those in it. False when that is not possible for all of them.
bool watch_board(os::DirectoryWatch& watch, fs::path const& root) {
  bool all = watch.add(0, root);
  std::error_code unreadable;
  for (auto const& entry : fs::directory_iterator{root, unreadable})
    if (entry.is_directory(unreadable) && !entry.path().filename().native().starts_with('.'))
      all = watch.add(0, entry.path()) && all;
  return all;
}

}  // namespace

BoardFollower::BoardFollower(BoardAccess const& access, Mailbox& mailbox, std::function<void()> read_anew)
    : access_(access), mailbox_(mailbox), read_anew_(std::move(read_anew)) {
  if (!access_.files.empty())
    thread_ = std::thread([this] { watch_files(); });
  else if (access_.is_shared)
    thread_ = std::thread([this] { follow_server(); });
}

BoardFollower::~BoardFollower() {
  {
    std::lock_guard const lock{mutex_};
    is_ending_ = true;
    if (streaming_) streaming_->interrupt();
  }
  changed_.notify_all();
  watch_.wake();
  if (thread_.joinable()) thread_.join();
}

void BoardFollower::follow(std::string board, std::string cursor) {
  std::lock_guard const lock{mutex_};
  wanted_ = {std::move(board), std::move(cursor), wanted_.turn + 1};
  if (streaming_) streaming_->interrupt();
  changed_.notify_all();
}

bool BoardFollower::is_wanted(int turn) {
  std::lock_guard const lock{mutex_};
  return !is_ending_ && wanted_.turn == turn;
}

bool BoardFollower::pause(int turn, std::chrono::milliseconds time) {
  std::unique_lock lock{mutex_};
  changed_.wait_for(lock, time, [&] { return is_ending_ || wanted_.turn != turn; });
  return !is_ending_ && wanted_.turn == turn;
}

void BoardFollower::watch_files() {
  bool const is_watched = watch_board(watch_, access_.files);
  while (is_wanted(wanted_.turn)) {
    bool const is_touched = watch_.wait(is_watched ? -1 : kBetweenLooks);
    if (!is_touched && is_watched) continue;
    bool concerns = !is_watched;
    do
      for (auto const& [key, touched] : watch_.take()) concerns = concerns || concerns_board(touched);
    while (watch_.wait(kQuiet));
    if (concerns) read_anew_();
  }
}

void BoardFollower::follow_server() {
  for (;;) {
    Wanted wanted;
    {
      std::unique_lock lock{mutex_};
      changed_.wait(lock, [&] { return is_ending_ || !wanted_.board.empty(); });
      if (is_ending_) return;
      wanted = wanted_;
    }
    FeedReader reader;
    reader.begin_at(wanted.cursor);
    bool needs_look = false;
    while (!needs_look && is_wanted(wanted.turn)) needs_look = read_stream(wanted, reader);
    if (!needs_look) continue;
    read_anew_();
    pause(wanted.turn, std::chrono::hours{1});
  }
}

bool BoardFollower::read_stream(Wanted const& wanted, FeedReader& reader) {
  auto way = access_.open();
  bool is_reset = false;
  core::Result<void> ended;
  if (way && way->server) {
    {
      std::lock_guard const lock{mutex_};
      if (is_ending_ || wanted_.turn != wanted.turn) return false;
      streaming_ = way->server;
    }
    bool is_first = true;
    ended = way->server->follow(wanted.board, reader.cursor(), [&](std::string_view line) {
      if (std::exchange(is_first, false)) mailbox_.post(Connection{});
      auto step = reader.take(line);
      is_reset = step.is_reset;
      if (step.changes) mailbox_.post(*std::move(step.changes));
      return !is_reset && is_wanted(wanted.turn);
    });
    std::lock_guard const lock{mutex_};
    streaming_ = nullptr;
  } else {
    ended = core::refuse(core::Code::kBusy, way ? "the server is away" : way.error().message);
  }
  if (ended || is_reset || !is_wanted(wanted.turn)) return is_reset;
  mailbox_.post(Connection{"Not live: " + ended.error().message});
  pause(wanted.turn, kBetweenTries);
  return false;
}

}  // namespace andon::tui
