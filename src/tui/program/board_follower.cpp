#include "tui/program/board_follower.hpp"

#include <algorithm>

#include "os/processes/clock.hpp"
#include "os/system_error.hpp"

namespace andon::tui {
namespace {

namespace fs = std::filesystem;

constexpr int kQuiet = 100;           ///< ms without a further change before files are read
constexpr int kBetweenLooks = 2'000;  ///< ms, where the machine has no watch left or the board is away
constexpr std::chrono::milliseconds kLongestUnrest{500};  ///< after which files are read although they change
constexpr std::chrono::milliseconds kBetweenStreams{100};
constexpr std::chrono::milliseconds kBetweenTries{1'000};  ///< to reach a server that is away

constexpr os::DirectoryWatch::Key kRoot = 0;
constexpr os::DirectoryWatch::Key kInside = 1;

bool is_hidden_name(std::string const& name) { return name.starts_with('.'); }

/// The reactions that changes in the board's directories ask for.
struct Unrest {
  bool concerns_board = false;
  bool concerns_watch = false;  ///< a directory came, went or was replaced
};

void add(Unrest& unrest, fs::path const& root, os::DirectoryWatch::Key key,
         os::DirectoryWatch::Touched const& touched) {
  std::error_code unreadable;
  for (auto const& name : touched.names) {
    if (is_hidden_name(name)) continue;
    if (name == "config.yml" || name.ends_with(".md")) unrest.concerns_board = true;
    if (key == kRoot && fs::is_directory(root / name, unreadable)) unrest.concerns_watch = true;
  }
  if (touched.everything) unrest.concerns_watch = true;
}

/// Waits for the first change, and for an end of the changes.
Unrest next_unrest(os::DirectoryWatch& watch, fs::path const& root) {
  Unrest out;
  if (!watch.wait(-1)) return out;
  auto const begin = os::SteadyClock::now();
  do
    for (auto const& [key, touched] : watch.take()) add(out, root, key, touched);
  while (watch.wait(kQuiet) && os::SteadyClock::now() - begin < kLongestUnrest);
  out.concerns_board = out.concerns_board || out.concerns_watch;
  return out;
}

/// Watches the board's directory and those in it anew. False when that is not possible for all of them.
bool watch_board(os::DirectoryWatch& watch, fs::path const& root) try {
  watch.remove(kRoot);
  watch.remove(kInside);
  bool all = watch.add(kRoot, root);
  std::error_code unreadable;
  for (auto const& entry : fs::directory_iterator{root, unreadable})
    if (entry.is_directory(unreadable) && !is_hidden_name(entry.path().filename().native()))
      all = watch.add(kInside, entry.path()) && all;
  return all && !unreadable;
} catch (os::SystemError const&) {
  return false;  // a directory went meanwhile
}

}  // namespace

BoardFollower::BoardFollower(BoardAccess const& access, Mailbox& mailbox, std::function<void()> read_anew)
    : access_(access), mailbox_(mailbox), read_anew_(std::move(read_anew)) {
  if (!access_.files.empty()) {
    bool const is_watched = watch_board(watch_, access_.files);
    thread_ = std::thread([this, is_watched] { watch_files(is_watched); });
  } else if (access_.is_shared) {
    thread_ = std::thread([this] { follow_server(); });
  }
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

void BoardFollower::follow(std::string board, std::string cursor, int turn) {
  std::lock_guard const lock{mutex_};
  wanted_ = {std::move(board), std::move(cursor), turn};
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

void BoardFollower::watch_files(bool is_watched) {
  while (is_wanted(0)) {
    Unrest unrest{true, true};
    if (is_watched)
      unrest = next_unrest(watch_, access_.files);
    else
      pause(0, std::chrono::milliseconds{kBetweenLooks});
    if (unrest.concerns_watch) is_watched = watch_board(watch_, access_.files);
    if (unrest.concerns_board && is_wanted(0)) read_anew_();
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
      if (step.changes) {
        step.changes->turn = wanted.turn;
        mailbox_.post(*std::move(step.changes));
      }
      return !is_reset && is_wanted(wanted.turn);
    });
    std::lock_guard const lock{mutex_};
    streaming_ = nullptr;
  } else {
    ended = core::refuse(core::Code::kBusy, way ? "the server is away" : way.error().message);
  }
  if (is_reset || !is_wanted(wanted.turn)) return is_reset;
  if (ended) {
    // A stream ends by itself after some minutes. One that ends at once must not be taken up in a hurry.
    pause(wanted.turn, kBetweenStreams);
    return false;
  }
  mailbox_.post(Connection{"Not live: " + ended.error().message});
  pause(wanted.turn, kBetweenTries);
  return false;
}

}  // namespace andon::tui
