#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

#include "measure.hpp"
#include "scenes.hpp"

namespace bench {
namespace {

constexpr long kTasksInARequest = 1'000;
constexpr std::array<char const*, 4> kPriorities{"low", "medium", "high", "critical"};
constexpr std::array<char const*, 4> kClasses{"standard", "fixed-date", "expedite", "intangible"};
constexpr long kParts = 50;  // of the sources; each task changes one
constexpr long kHeldParts = 5;
// About two hundred bytes, as an agent's task would carry.
constexpr char const* kBrief =
    "a brief of about two hundred bytes, as an agent task would carry: a path, a prompt reference, a commit "
    "id and a "
    "few words about what is expected, what to leave alone and how to tell that it is done";

template <std::size_t N>
std::string one_of(std::array<char const*, N> const& names, long n) {
  return "\"" + std::string{names[static_cast<std::size_t>(n) % N]} + "\"";
}

std::string touches(long part) { return R"("touches":["src/part)" + std::to_string(part) + R"(/**"])"; }

/// Class, role, files and for every fourth task an obstacle, so that each combination occurs.
std::string mixed_fields(long n, long obstacle) {
  auto out = "\"priority\":" + one_of(kPriorities, n / 16) + ",\"class\":" + one_of(kClasses, n / 4) +
             ",\"role\":" + one_of(kRoles, n) + "," + touches(n % kParts);
  if (n % 4 == 0) out += R"(,"depends_on":[)" + std::to_string(obstacle) + "]";
  return out;
}

std::string task(Stage const& stage, long n, bool mixed, long obstacle) {
  return R"({"board":")" + stage.board +
         R"(","status":"todo","review":"none","title":"task title of usual length )" + std::to_string(n) +
         R"(","body":")" + kBrief + "\"," +
         (mixed ? mixed_fields(n, obstacle) : "\"priority\":" + one_of(kPriorities, n * 7)) + "}";
}

void make_board(Connection& server, Stage const& stage) {
  server.post("/api/v1/boards",
              R"({"name":")" + stage.board + R"(","template":"flow","auto_dispatch":false})");
}

/// Somebody works on some of the parts all the time, so that every pick compares files.
void hold_parts(Connection& server, Stage const& stage) {
  for (long part = 0; part < kHeldParts; ++part)
    server.post("/api/v1/tasks", R"({"board":")" + stage.board +
                                     R"(","title":"held","status":"in-progress","claim":"holder",)" +
                                     touches(part) + "}");
}

void set_rules(Connection& server, Stage const& stage) {
  auto const answer =
      server.call("PATCH", "/api/v1/boards/" + stage.board,
                  R"({"columns":[{"name":"backlog","stage":"backlog"},{"name":"todo","stage":"ready"},)"
                  R"({"name":"in-progress","stage":"active","wip_limit":50,"require_claim":true},)"
                  R"({"name":"review","stage":"review","wip_limit":50},{"name":"done","stage":"done"},)"
                  R"({"name":"archived","stage":"archived"}],)"
                  R"("classes":[{"name":"expedite","bypass_column_wip":true},{"name":"fixed-date"},)"
                  R"({"name":"standard"},{"name":"intangible"}],"claim_timeout":"0"})");
  if (answer.status != 200) throw std::runtime_error("cannot set the rules of the board: " + answer.body);
}

}  // namespace

void fill(Stage const& stage, long waiting, bool mixed) {
  Connection server(stage.target);
  make_board(server, stage);
  if (mixed) set_rules(server, stage);
  if (mixed) hold_parts(server, stage);
  long obstacle = 0;
  if (mixed)
    obstacle = number_in(
        server.post("/api/v1/tasks", R"({"board":")" + stage.board + R"(","title":"never finished"})"), "id");
  auto const cpu = cpu_of(stage.server);
  auto const start = Clock::now();
  for (long made = 0; made < waiting;) {
    std::string body = "[";
    for (long n = 0; n < kTasksInARequest && made < waiting; ++n, ++made)
      body += (n ? "," : "") + task(stage, made, mixed, obstacle);
    server.post("/api/v1/tasks", body + "]");
  }
  std::printf("fill waiting=%ld per_s=%.0f srv_cpu_us=%.1f load=%s\n", waiting,
              static_cast<double>(waiting) / seconds_since(start),
              (cpu_of(stage.server) - cpu) / static_cast<double>(std::max(1L, waiting)),
              load_average().c_str());
}

}  // namespace bench
