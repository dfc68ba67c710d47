#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "api/agent_directory.hpp"
#include "api/local_executor.hpp"
#include "api/run_output.hpp"
#include "os/embedded.hpp"

namespace andon::http {

using Seconds = std::chrono::seconds;
using Milliseconds = std::chrono::milliseconds;

/// What a client may use up. Times of a request are absolute: a slow sender does not extend them.
struct Limits {
  std::size_t head = 16U << 10U;
  std::size_t fields = 100;
  std::size_t target = 8U << 10U;
  std::size_t body = 2U << 20U;
  std::size_t body_of_strangers = 4U << 10U;  ///< of a request that needs no credential
  std::size_t held = 48U << 20U;  ///< bodies and answers of all connections together that wait for a peer
  std::size_t connections = 4096;
  std::size_t connections_per_peer = 256;
  std::size_t streams = 1000;
  std::size_t streams_per_run = 20;
  std::size_t output_streams_per_run = 32;
  std::size_t output_streams_per_credential = 128;
  std::size_t queued_frames = 256;
  std::size_t queued_bytes = 256U << 10U;
  std::size_t replayed_events = 2000;
  std::size_t reads_per_credential = 64;      ///< under way or waiting
  std::size_t slow_reads_per_credential = 8;  ///< of them: searches, metrics, history
  int failed_sign_ins_per_minute = 10;
  int wrong_tokens_per_minute = 200;  ///< of one address
  int creations_per_minute = 60;      ///< of all runs of a worker
  Milliseconds head_time = Seconds{10};
  Milliseconds body_time = Seconds{30};
  Milliseconds idle_time = Seconds{60};
  Milliseconds write_time = Seconds{30};
  Milliseconds stalled_time = Seconds{2};  ///< without taking a byte, while `held` is reached
  Milliseconds discard_time = Seconds{2};
  std::size_t discard_bytes = 8U << 20U;
  Milliseconds drain_time = Seconds{10};
  Milliseconds stream_time = std::chrono::minutes{5};
  Milliseconds stream_heartbeat = Seconds{15};
  Milliseconds stream_pace = Milliseconds{50};
  Milliseconds output_pace = Milliseconds{250};
  Milliseconds tick = Milliseconds{500};  ///< how often the times above are looked at
  Milliseconds session_life = std::chrono::hours{24 * 30};
};

struct ServerOptions {
  std::vector<std::string> listen{"127.0.0.1:7420"};  ///< `ADDRESS:PORT`, `[ADDRESS]:PORT`; port 0 picks one
  std::filesystem::path socket_path;                  ///< none when empty
  std::vector<std::string> allowed_hosts;             ///< `NAME` or `NAME:PORT`, beside the loopback names
  std::vector<std::string> allowed_origins;           ///< `https://board.example.org`, beside our own
  bool behind_tls_proxy = false;  ///< somebody else ends TLS in front; needed to listen beyond loopback
  Limits limits;
};

/// What the server serves. Nothing is owned; everything outlives the server.
struct Backends {
  api::LocalExecutor& executor;
  std::span<EmbeddedFile const> page{};
  api::RunOutput* output = nullptr;
  api::AgentDirectory* agents = nullptr;
  /// Takes secrets out of what a run reports, before anything of it is kept; nothing is taken without it.
  std::function<std::string(std::string_view)> redact{};
};

/// Held by work on other threads that uses a backend; the server's end waits for it.
using InUse = std::shared_ptr<void const>;

}  // namespace andon::http
