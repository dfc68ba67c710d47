#pragma once

#include "os/files/descriptor.hpp"

namespace andon::os {

/// Something that happens once, to be waited for among descriptors.
class Event {
 public:
  Event();
  void set() const;
  /// Readable from then on.
  int handle() const { return file_.get(); }

 private:
  Descriptor file_;
};

}  // namespace andon::os
