#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "api/local_executor.hpp"
#include "api/status/chat_status.hpp"
#include "bridge/conversation/watches.hpp"
#include "bridge/telegram/telegram_bridge.hpp"
#include "main/commit_signal.hpp"
#include "os/data/data_directory.hpp"
#include "os/network/http_client.hpp"

namespace andon::main {

/// The threads of the bridge to Telegram: one receives, one sends, one takes in news. The board waits for
/// none of them.
class TelegramLoops final : public api::ChatBridge {
 public:
  /// The executor, the output and the clock outlive it.
  TelegramLoops(api::LocalExecutor& executor, api::RunOutput& output, os::Clock const& clock,
                os::DataDirectory const& data, bridge::telegram::Configuration configuration);
  ~TelegramLoops() override;

  api::ChatStatus status() const override;

 private:
  using Step = core::Duration (bridge::telegram::TelegramBridge::*)(core::ClockReading const&);

  void run(std::stop_token const& stop, std::string_view name, Step step);
  void rest(std::stop_token const& stop, Step step, core::Duration wait);
  void write_status();
  void look_for_boards();
  api::ChatStatus bridge_status() const;
  core::Result<bridge::News> news_since(std::string const& place);

  struct StatusFile {
    std::filesystem::path path;
    std::string content{};  ///< as written; of the loop that sends
  };
  struct Shared {
    bool has_added = false;                   ///< messages wait to be sent
    std::vector<std::string> missing_boards;  ///< of the settings, as sentences
  };
  struct Clients {
    os::HttpClient receiving;
    os::HttpClient sending;
  };

  os::Clock const& clock_;
  bridge::telegram::Configuration const configuration_;
  StatusFile status_file_;
  bridge::Watches watches_;
  bridge::Conversation conversation_;
  Clients clients_;
  mutable std::mutex mutex_;
  std::condition_variable_any notified_;
  Shared shared_;  ///< guarded by mutex_
  std::shared_ptr<CommitSignal> commits_;
  bridge::telegram::TelegramBridge bridge_;
  std::vector<std::jthread> threads_;
};

/// The file with the bridge's state, for commands on the same machine.
std::filesystem::path telegram_status_file(std::filesystem::path const& data);

}  // namespace andon::main
