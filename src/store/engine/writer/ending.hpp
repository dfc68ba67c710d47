#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string_view>

#include "store/engine/writer/submission.hpp"

namespace andon::store::engine {

using OnFatal = std::function<void(std::string_view reason)>;

/// The end of all writing, because it is unknown which changes reached the disk. From then on units are
/// refused, and when its time comes the process ends. Used by the writer's thread, except `end_process`.
class Ending {
 public:
  explicit Ending(OnFatal on_fatal) : on_fatal_(std::move(on_fatal)) {}

  /// Ends writing now and the process at `end`.
  void stop(std::exception_ptr reason, Moment end);
  /// Ends writing; another thread ends the process.
  void stop(std::exception_ptr reason) { reason_ = std::move(reason); }
  bool is_stopped() const { return reason_ != nullptr; }
  /// Null while writing goes on.
  std::exception_ptr const& reason() const { return reason_; }
  std::optional<Moment> end() const { return end_; }
  /// Calls `on_fatal` with the text of the reason. May be called on any thread.
  void end_process(std::exception_ptr const& reason) const;
  /// True once, when the time of the end has come.
  bool take_due(Moment now);

 private:
  OnFatal on_fatal_;
  std::exception_ptr reason_;
  std::optional<Moment> end_;
};

}  // namespace andon::store::engine
