#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "os/system_error.hpp"

namespace andon::os {

/// Runs calls that may not return, such as those on files of a mount whose server is gone, on a thread of its
/// own. A call that takes longer than its patience is given up: it goes on where it is, with all that it
/// holds, and until it has returned every other call is refused at once. Used by one thread.
class CallThread {
 public:
  /// `about` says whose calls they are in the refusals.
  CallThread(std::string about, std::chrono::milliseconds patience);
  ~CallThread();
  CallThread(CallThread const&) = delete;

  /// Whether a call that was given up has not returned.
  bool is_stuck() const;

  /// Returns what `call` returns, throws what it throws, and ETIMEDOUT as `SystemError` when it is given up.
  /// The call owns what it uses.
  template <class Call>
  auto run(Call call) {
    using Result = decltype(call());
    if (is_inside()) return call();
    auto const task = std::make_shared<std::packaged_task<Result()>>(std::move(call));
    auto result = task->get_future();
    give([task] { (*task)(); });
    if (result.wait_for(patience_) != std::future_status::ready) give_up();
    return result.get();
  }

 private:
  struct Shared;
  bool is_inside() const;
  void give(std::function<void()> call);
  [[noreturn]] void give_up() const;
  [[noreturn]] void refuse() const;

  std::string const about_;
  std::chrono::milliseconds const patience_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace andon::os
