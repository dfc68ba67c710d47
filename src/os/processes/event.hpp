#pragma once

#include "os/files/descriptor.hpp"

namespace andon::os {

/// An event that happens once. Its descriptor can be polled beside others.
class Event {
 public:
  Event();
  void set() const;
  bool is_set() const;
  /// Becomes readable at `set` and stays so.
  int handle() const { return file_.get(); }

 private:
  Descriptor file_;
};

}  // namespace andon::os
