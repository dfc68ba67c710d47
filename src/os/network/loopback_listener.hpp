#pragma once

#include "os/files/descriptor.hpp"

namespace andon::os {

/// A TCP port of 127.0.0.1 that shows whether a program can connect. It answers nothing.
class LoopbackListener {
 public:
  LoopbackListener();

  int port() const { return port_; }
  /// Readable once a program has connected.
  int handle() const { return socket_.get(); }
  /// True when a program has connected since the last call.
  bool take_connection() const;

 private:
  Descriptor socket_;
  int port_ = 0;
};

}  // namespace andon::os
