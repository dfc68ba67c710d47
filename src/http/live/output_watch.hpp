#pragma once

#include <cstddef>
#include <list>
#include <memory>

#include <boost/asio/steady_timer.hpp>

#include "api/run_output.hpp"
#include "http/access/authenticated_request.hpp"
#include "http/access/revocation.hpp"
#include "http/options.hpp"
#include "http/wire/mailbox.hpp"
#include "http/wire/stream.hpp"

namespace andon::http {

/// Serves the output of runs: one page, or a stream that follows the output while a client reads it. I/O
/// thread only.
class OutputWatch {
 public:
  OutputWatch(api::LocalExecutor& executor, api::RunOutput* output, InUse in_use,
              std::shared_ptr<Mailbox> mailbox, boost::asio::io_context& io, Revocation& revocation,
              Limits const& limits);

  void serve(AuthenticatedRequest const& authenticated, Connections& connections);
  /// Sends the log as a text file. Calls back with a short one or a refusal; with nothing when it sends a
  /// long one page by page, as fast as its reader takes them.
  void serve_log(AuthenticatedRequest const& authenticated, Connections& connections,
                 std::function<void(std::optional<Response>)> answer);
  /// Stores output that a runner on another machine sends.
  void take(AuthenticatedRequest const& authenticated);
  void stop() {
    timer_.cancel();
    watches_.clear();
  }

 private:
  struct Watch {
    std::shared_ptr<Stream> stream;
    service::Caller caller;
    std::string credential;
    core::RunId run = 0;
    std::string next;
    Connections& connections;
    bool is_log = false;                      ///< it ends where the log ends
    std::size_t sent = 0;                     ///< bytes of a log
    bool is_read = false;                     ///< a page is being read
    std::optional<Connections::Held> page{};  ///< what is held for that page
  };
  struct Look;

  void open_log(AuthenticatedRequest const& authenticated, Connections& connections, core::RunId run,
                Look look);
  void send_log(std::shared_ptr<Watch> const& watch, Look look);
  /// Follows the output with a stream.
  std::shared_ptr<Watch> watch(AuthenticatedRequest const& authenticated, Connections& connections,
                               core::RunId run, std::string since, bool is_log);
  void show(AuthenticatedRequest const& authenticated, Connections& connections, core::RunId run,
            std::string since, Look look);
  /// A refusal when too many streams follow the run, or too many of this credential any run.
  std::optional<core::Error> fault_of_crowd(core::RunId run, std::string const& credential) const;
  void plan();
  /// Reads the next page, unless the connections hold as much as they may.
  void read(std::shared_ptr<Watch> const& watch);
  void send(std::shared_ptr<Watch> const& watch, Look look);

  api::LocalExecutor& executor_;
  api::RunOutput* output_;
  InUse in_use_;
  std::shared_ptr<Mailbox> mailbox_;
  Revocation& revocation_;
  Limits const& limits_;
  boost::asio::steady_timer timer_;
  std::list<std::shared_ptr<Watch>> watches_;
  bool is_planned_ = false;
};

}  // namespace andon::http
