#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace andon::test {

/// A program that took the port of a server. It records every byte that it gets, and answers requests as it
/// is told to; without an answer it closes the connection.
class Impostor {
 public:
  using Answering = std::function<std::optional<std::string>(std::string const& request)>;

  explicit Impostor(Answering answering, std::uint16_t port = 0);
  ~Impostor();

  std::uint16_t port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::string received() const;
  int connections() const { return connections_; }

  static std::string answer(std::string const& body, std::string const& status = "200 OK",
                            std::string const& headers = {});

 private:
  void serve();
  void serve(boost::asio::ip::tcp::socket& connection);

  Answering const answering_;
  boost::asio::io_context io_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::uint16_t const port_;
  mutable std::mutex mutex_;
  std::string received_;  ///< guarded by mutex_
  std::atomic<int> connections_ = 0;
  std::atomic<bool> is_ending_ = false;
  std::thread thread_;
};

}  // namespace andon::test
