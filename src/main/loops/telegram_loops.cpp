#include "main/loops/telegram_loops.hpp"

#include "os/files/file.hpp"
#include "os/files/time_zones.hpp"
#include "os/processes/log.hpp"
#include "reflect/json.hpp"

namespace andon::main {
namespace {

namespace tg = bridge::telegram;

constexpr core::Duration kAfterFailure = std::chrono::seconds{1};
/// How old the written status may be, because the loop that sends writes it.
constexpr core::Duration kLongestPause = std::chrono::seconds{2};
/// News that follow each other closely are taken in together.
constexpr core::Duration kBetweenNews = std::chrono::milliseconds{500};

std::filesystem::path state_file(os::DataDirectory const& data) { return data.root / "telegram.state"; }

}  // namespace

std::filesystem::path telegram_status_file(std::filesystem::path const& data) {
  return data / "telegram.status";
}

TelegramLoops::TelegramLoops(api::LocalExecutor& executor, api::RunOutput& output, os::Clock const& clock,
                             os::DataDirectory const& data, tg::Configuration configuration)
    : clock_(clock),
      configuration_(std::move(configuration)),
      status_file_{telegram_status_file(data.root)},
      watches_(executor, output),
      conversation_(executor, configuration_.settings, &watches_),
      commits_(commit_signal_of(executor)),
      bridge_(
          configuration_.settings, configuration_.account, os::time_zones(),
          tg::read_state(state_file(data), configuration_.account.bot_id()),
          {.take = [this](bridge::InMessage const& message) { return conversation_.take(message); },
           .news_since = [this](std::string const& place) { return news_since(place); },
           .receive = [this](os::OutgoingRequest const& request) { return clients_.receiving.send(request); },
           .send = [this](os::OutgoingRequest const& request) { return clients_.sending.send(request); },
           .write = [file = state_file(data)](std::string_view content) { os::write_file(file, content); },
           .added =
               [this] {
                 std::scoped_lock const lock{mutex_};
                 shared_.has_added = true;
                 notified_.notify_all();
               }}) {
  threads_.emplace_back(
      [this](std::stop_token stop) { run(stop, "receiving", &tg::TelegramBridge::receive); });
  threads_.emplace_back([this](std::stop_token stop) { run(stop, "sending", &tg::TelegramBridge::send); });
  threads_.emplace_back([this](std::stop_token stop) { run(stop, "news", &tg::TelegramBridge::news); });
}

TelegramLoops::~TelegramLoops() {
  for (auto& thread : threads_) thread.request_stop();
  clients_.receiving.stop();
  clients_.sending.stop();
  notified_.notify_all();
  commits_->notified.notify_all();
  threads_.clear();
}

void TelegramLoops::run(std::stop_token const& stop, std::string_view name, Step step) {
  while (!stop.stop_requested()) {
    auto wait = kAfterFailure;
    try {
      wait = (bridge_.*step)(clock_.reading());
      if (step == &tg::TelegramBridge::send) write_status();
    } catch (std::exception const& error) {
      os::log(os::Level::error, "telegram, " + std::string{name} + ": " + error.what());
    }
    rest(stop, step, std::min(wait, kLongestPause));
  }
}

void TelegramLoops::rest(std::stop_token const& stop, Step step, core::Duration wait) {
  if (step == &tg::TelegramBridge::news) {
    std::unique_lock lock{commits_->mutex};
    commits_->notified.wait_for(lock, stop, kBetweenNews, [] { return false; });
    commits_->notified.wait_for(lock, stop, wait, [this] { return commits_->changed; });
    commits_->changed = false;
    return;
  }
  bool const sends = step == &tg::TelegramBridge::send;
  std::unique_lock lock{mutex_};
  notified_.wait_for(lock, stop, wait, [&] { return sends && shared_.has_added; });
  if (sends) shared_.has_added = false;
}

/// Collects the news of the board and the output of the followed runs.
core::Result<bridge::News> TelegramLoops::news_since(std::string const& place) {
  look_for_boards();
  ANDON_TRY(auto news, conversation_.news_since(place));
  for (auto& message : watches_.step(clock_.now())) news.messages.push_back(std::move(message));
  return news;
}

/// Looks whether the boards of the settings are there, and logs once for each that is not.
void TelegramLoops::look_for_boards() {
  auto const boards = conversation_.board_names();
  if (!boards) return;
  auto missing = tg::missing_boards(configuration_.settings, *boards);
  std::scoped_lock const lock{mutex_};
  for (auto const& each : missing)
    if (std::ranges::find(shared_.missing_boards, each) == shared_.missing_boards.end())
      os::log(os::Level::warning, each);
  shared_.missing_boards = std::move(missing);
}

api::ChatStatus TelegramLoops::status() const {
  auto out = bridge_status();
  std::scoped_lock const lock{mutex_};
  out.wrong.insert(out.wrong.end(), shared_.missing_boards.begin(), shared_.missing_boards.end());
  return out;
}

/// The status without missing boards, which commands look for themselves.
api::ChatStatus TelegramLoops::bridge_status() const {
  auto now = bridge_.status();
  api::ChatStatus out;
  out.configured = true;
  out.bot = std::move(now.bot);
  out.last_contact = now.last_contact;
  out.wrong = std::move(now.wrong);
  out.waiting = static_cast<int>(now.waiting);
  out.chats = static_cast<int>(configuration_.settings.chats.size());
  return out;
}

/// A failure is passed over: the file is only for people.
void TelegramLoops::write_status() try {
  auto text = reflect::to_json(bridge_status()) + "\n";
  if (text == status_file_.content) return;
  os::write_passing_file(status_file_.path, text);
  status_file_.content = std::move(text);
} catch (std::exception const&) {
  return;
}

}  // namespace andon::main
