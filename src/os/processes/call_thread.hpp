#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "os/system_error.hpp"

namespace andon::os {

/// Runs calls that may never return, for example on files of a mount without its server. They run on a
/// separate thread. A call that exceeds `patience` is given up: it continues on that thread and keeps what it
/// owns. Until it returns, every other call is refused at once. Used by one thread.
class CallThread {
 public:
  /// `about` names the owner of the calls in refusals.
  CallThread(std::string about, std::chrono::milliseconds patience);
  ~CallThread();
  CallThread(CallThread const&) = delete;

  /// Whether a call that was given up has not returned.
  bool is_stuck() const;

  /// Returns the result of `call`, or throws its exception. Throws `SystemError` with ETIMEDOUT when the call
  /// is given up. The call must own what it uses.
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
