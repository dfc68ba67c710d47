#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "api/agent_directory.hpp"
#include "api/endpoint.hpp"
#include "api/local_executor.hpp"
#include "api/run_output.hpp"
#include "api/status/chat_status.hpp"
#include "os/embedded.hpp"

namespace andon::http {

using Seconds = std::chrono::seconds;
using Milliseconds = std::chrono::milliseconds;

/// Limits for clients. Times of a request are absolute, so a slow sender does not extend them.
struct Limits {
  std::size_t head = 16U << 10U;
  std::size_t fields = 100;
  std::size_t target = 8U << 10U;
  std::size_t body = 2U << 20U;
  std::size_t file_body = 25U << 20U;         ///< of a request whose body is a file
  std::size_t body_of_strangers = 4U << 10U;  ///< of requests that need no credential
  std::size_t held =
      48U << 20U;  ///< bytes of bodies and answers that wait for their peers, in all connections together
  std::size_t connections = 4096;
  std::size_t connections_per_peer = 256;
  std::size_t streams = 1000;
  std::size_t streams_per_run = 20;
  std::size_t output_streams_per_run = 32;
  std::size_t output_streams_per_credential = 128;
  std::size_t message_streams = 512;  ///< of the protocol for agents, `/mcp`
  std::size_t message_streams_per_credential = 64;
  std::size_t queued_frames = 256;
  std::size_t queued_bytes = 256U << 10U;
  std::size_t replayed_events = 2000;
  std::size_t reads_per_credential = 64;      ///< running or waiting
  std::size_t slow_reads_per_credential = 8;  ///< of these: searches, metrics, history
  int failed_sign_ins_per_minute = 10;
  int wrong_tokens_per_minute = 200;  ///< per address
  int creations_per_minute = 60;      ///< of all runs of a worker
  int phone_links_per_minute = 20;    ///< of a credential
  Milliseconds head_time = Seconds{10};
  Milliseconds body_time = Seconds{30};
  Milliseconds file_body_time = std::chrono::minutes{5};
  Milliseconds idle_time = Seconds{60};
  Milliseconds write_time = Seconds{30};   ///< since the peer took the last byte of an answer or a stream
  Milliseconds stalled_time = Seconds{2};  ///< of a peer that takes no byte, while `held` is exceeded
  Milliseconds discard_time = Seconds{2};
  std::size_t discard_bytes = 8U << 20U;
  Milliseconds drain_time = Seconds{10};
  Milliseconds stream_time = std::chrono::minutes{5};
  Milliseconds message_stream_time = std::chrono::hours{1};
  Milliseconds log_time = std::chrono::hours{1};  ///< for the download of a log
  Milliseconds stream_heartbeat = Seconds{15};
  Milliseconds stream_pace = Milliseconds{50};
  Milliseconds output_pace = Milliseconds{250};
  Milliseconds tick = Milliseconds{500};  ///< the interval of checking the times above
  Milliseconds session_life = std::chrono::hours{24 * 30};
};

/// The network at home, where the server may be reached without encryption.
struct LocalNetwork {
  std::vector<std::string> addresses;  ///< to listen on, at the port of the first address of `listen`
  std::vector<std::string> names;      ///< of this machine, accepted with that port
};

struct ServerOptions {
  std::vector<std::string> listen{
      "127.0.0.1:7420"};                     ///< `ADDRESS:PORT` or `[ADDRESS]:PORT`; port 0 picks a free one
  std::vector<int> passed{};                 ///< listening sockets to go on with, see `Server::start`
  std::filesystem::path socket_path;         ///< no Unix socket when empty
  std::vector<std::string> allowed_hosts;    ///< `NAME` or `NAME:PORT`, in addition to the loopback names
  std::vector<std::string> allowed_origins;  ///< `https://board.example.org`, in addition to the server's own
  bool behind_tls_proxy = false;             ///< a proxy in front ends TLS; needed to listen beyond loopback
  LocalNetwork lan;
  Limits limits;
};

/// The backends of the server. It owns none of them; all must outlive it.
struct Backends {
  api::LocalExecutor& executor;
  std::span<EmbeddedFile const> page{};
  api::RunOutput* output = nullptr;
  api::AgentDirectory* agents = nullptr;
  api::Endpoint* mcp = nullptr;
  api::ChatBridge* telegram = nullptr;
};

/// Held by work on other threads that uses a backend. The server's destructor waits for it.
using InUse = std::shared_ptr<void const>;

}  // namespace andon::http
