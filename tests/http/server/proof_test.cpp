#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <doctest/doctest.h>

#include "api/access/server_proof.hpp"
#include "http/client/failover_client.hpp"
#include "http/client/proven_server.hpp"
#include "http/server/impostor.hpp"
#include "http/server/running_server.hpp"
#include "os/digest.hpp"
#include "reflect/json.hpp"

using namespace andon;
using namespace andon::test;

namespace {

constexpr std::string_view kToken = "the-admin";
/// A client that fails such a test waits for at most so long.
constexpr http::ClientTimes kQuick{.answer = std::chrono::milliseconds{300}};

std::string hash_of_token(std::string_view token = kToken) { return os::hex(os::sha256(token)); }

api::HttpCall asking(std::string_view token = kToken) {
  return {"GET", "/api/v1/tasks", {{"Authorization", "Bearer " + std::string{token}}}, {}};
}

bool is_proof(std::string const& request) { return request.starts_with("POST /api/v1/proof "); }

std::string body_of(std::string const& request) { return request.substr(request.find("\r\n\r\n") + 4); }

std::string proof_answer(std::string const& proof) {
  return Impostor::answer(R"({"proof":")" + proof + "\"}");
}

/// The right answer, as a relay to the server would give it.
std::string right_answer(std::string const& request) {
  auto const asked = reflect::read_json<api::ProofRequest>(body_of(request));
  return proof_answer(api::proof_of(hash_of_token(), asked->nonce));
}

bool holds_secret(std::string const& bytes, std::string_view token = kToken) {
  return bytes.contains(token) || bytes.contains("uthorization") || bytes.contains(hash_of_token(token));
}

std::string ask(RunningServer const& server, std::string const& token, std::string const& nonce) {
  return server
      .call("POST", "/api/v1/proof", R"({"token":")" + token + R"(","nonce":")" + nonce + "\"}",
            {"X-None: 1"})
      .body;
}

}  // namespace

TEST_CASE("Proof.ComesFromAServerThatKnowsTheToken") {
  RunningServer server;
  std::string const nonce(64, 'a');
  auto const proof = member(ask(server, hash_of_token().substr(0, 16), nonce), "proof");
  CHECK(proof == api::proof_of(hash_of_token(), nonce));
  CHECK(proof == os::hex(os::hmac_sha256(
                     std::string_view{reinterpret_cast<char const*>(os::sha256(kToken).data()), 32},
                     "andon-proof-1\n" + nonce)));
}

TEST_CASE("Proof.IsGivenForUnknownTokensToo") {
  RunningServer server;
  std::string const nonce(64, 'a');
  auto const first = member(ask(server, "0123456789abcdef", nonce), "proof");
  CHECK(first.size() == 64);
  CHECK(member(ask(server, "0123456789abcdef", nonce), "proof") == first);
  CHECK(member(ask(server, "0123456789abcde0", nonce), "proof") != first);
}

TEST_CASE("Proof.OfUnknownTokensIsBoundedAndThatOfKnownOnesIsNot") {
  RunningServer server([](auto& options) { options.limits.wrong_tokens_per_minute = 3; });
  std::string const nonce(64, 'a');
  for (int i = 0; i < 3; ++i) CHECK(ask(server, "0123456789abcdef", nonce).contains("proof"));
  CHECK(ask(server, "0123456789abcdef", nonce).contains("RATE_LIMITED"));
  CHECK(ask(server, hash_of_token().substr(0, 16), nonce).contains("\"proof\""));
}

TEST_CASE("Proof.RefusesQuestionsOfAnotherForm") {
  RunningServer server;
  std::string const nonce(64, 'a');
  for (std::string const token : {"", "%", "0123456789ABCDEF", "0123456789abcdef0", "'"})
    CHECK(ask(server, token, nonce).contains("INVALID_INPUT"));
  for (auto const& bad : {std::string{}, std::string{"aa"}, std::string(63, 'a') + "g", std::string(66, 'a')})
    CHECK(ask(server, "0123456789abcdef", bad).contains("INVALID_INPUT"));
}

TEST_CASE("Proof.OfARevokedTokenLetsTheServerRefuseIt") {
  RunningServer server;
  server.revoke(kToken);
  auto const answer = http::client_of("http://" + server.host())->call(asking());
  REQUIRE(answer);
  CHECK(answer->status == 401);
}

TEST_CASE("Client.SendsNoTokenToAServerThatDoesNotProveThatItKnowsIt") {
  std::string seen;
  struct Row {
    std::string name;
    Impostor::Answering answering;
  };
  std::vector<Row> const rows{
      {"another program", [](auto const&) { return Impostor::answer("<html>", "404 Not Found"); }},
      {"an older Andon", [](auto const&) { return Impostor::answer("{}", "401 Unauthorized"); }},
      {"takes everything", [](auto const&) { return Impostor::answer("{}"); }},
      {"a wrong proof", [](auto const&) { return proof_answer(std::string(64, '0')); }},
      {"no text", [](auto const&) { return Impostor::answer(R"({"proof":null})"); }},
      {"no proof", [](auto const&) { return proof_answer(""); }},
      {"the question", [](auto const& request) { return Impostor::answer(body_of(request)); }},
      {"a replayed answer",
       [](auto const&) { return proof_answer(api::proof_of(hash_of_token(), std::string(64, '7'))); }},
      {"a key of what it saw",
       [](auto const& request) {
         auto const asked = reflect::read_json<api::ProofRequest>(body_of(request));
         return proof_answer(api::proof_of(asked->token, asked->nonce));
       }},
      {"a redirect",
       [](auto const&) { return Impostor::answer("", "307 Temporary Redirect", "Location: /\r\n"); }},
      {"a huge answer", [](auto const&) { return proof_answer(std::string(1U << 20U, '0')); }},
      {"a huge head",
       [](auto const&) { return Impostor::answer("{}", "200 OK", "X: " + std::string(1U << 20U, 'x')); }},
      {"another protocol", [](auto const&) { return "SSH-2.0-OpenSSH_9.2\r\n\r\n"; }},
      {"a closed connection", [](auto const&) { return std::nullopt; }},
      {"no answer", [](auto const&) { return ""; }},
      {"a half answer", [](auto const&) { return "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"; }},
      {"a right proof and the end",
       [](auto const& request) {
         auto out = right_answer(request);
         return out.insert(out.find("Content-Type"), "Connection: close\r\n");
       }},
  };
  for (auto const& row : rows) {
    CAPTURE(row.name);
    Impostor impostor{row.answering};
    auto const client = http::client_of(impostor.url(), kQuick);
    auto const answer = client->call(asking());
    CHECK_FALSE(answer);
    if (!answer) CHECK(answer.error().code == core::Code::kBusy);
    CHECK_FALSE(client->stream(asking(), [](std::string_view) { return true; }));
    CHECK(is_proof(impostor.received()));
    CHECK_FALSE(holds_secret(impostor.received()));
  }
}

TEST_CASE("Client.SaysThatTheServerGaveNoProof") {
  Impostor impostor{[](auto const&) { return Impostor::answer("{}", "404 Not Found"); }};
  auto const answer = http::client_of(impostor.url())->call(asking());
  REQUIRE(!answer);
  CHECK(answer.error().message.starts_with("the server at " + impostor.url().substr(7) +
                                           " did not prove that it knows this token (it answered 404)"));
}

TEST_CASE("Client.AsksForAProofOnEachConnectionAndOfEachToken") {
  int proofs = 0;
  Impostor relay{[&](auto const& request) {
    if (is_proof(request)) ++proofs;
    return is_proof(request) ? right_answer(request) : Impostor::answer("{}");
  }};
  auto const client = http::client_of(relay.url(), kQuick);
  for (int i = 0; i < 3; ++i) CHECK(client->call(asking()));
  CHECK(proofs == 1);
  CHECK_FALSE(client->call(asking("another-token")));
  CHECK(proofs == 2);
  CHECK_FALSE(relay.received().contains("another-token"));
  CHECK(client->call(asking()));
  CHECK(proofs == 3);
}

TEST_CASE("Client.SendsNoTokenToWhoeverTookThePortOfItsServer") {
  auto server = std::make_unique<RunningServer>();
  auto const port = static_cast<std::uint16_t>(server->port());
  auto const client = http::client_of("http://127.0.0.1:" + std::to_string(port), kQuick);
  REQUIRE(client->call(asking()));
  server.reset();
  {
    Impostor impostor{[](auto const&) { return Impostor::answer("{}"); }, port};
    CHECK_FALSE(client->call(asking()));
    CHECK_FALSE(holds_secret(impostor.received()));
    CHECK(is_proof(impostor.received()));
  }
  RunningServer const back([&](auto& options) { options.listen = {"127.0.0.1:" + std::to_string(port)}; });
  auto const answer = client->call(asking());
  REQUIRE(answer);
  CHECK(answer->status == 200);
}

TEST_CASE("Client.OfSeveralServersGoesOnWithTheNextOneWhenOneGivesNoProof") {
  Impostor impostor{[](auto const&) { return Impostor::answer("{}"); }};
  RunningServer server;
  http::ServerChoice choice = 0;
  auto const client =
      http::client_of_any({impostor.url(), "http://" + server.host()}, choice,
                          {.answer = std::chrono::seconds{5}, .absence = std::chrono::seconds{5}}, {});
  auto const answer = client->call(asking());
  REQUIRE(answer);
  CHECK(answer->status == 200);
  CHECK_FALSE(holds_secret(impostor.received()));
}

TEST_CASE("Client.TrustsASocketOfItsUserAndOfTheOwnerOfItsDirectory") {
  Scratch scratch;
  auto const path = scratch / "a.sock";
  boost::asio::io_context io;
  using Local = boost::asio::local::stream_protocol;
  Local::acceptor acceptor{io, Local::endpoint{path.native()}};
  Local::socket socket{io};
  socket.connect(acceptor.local_endpoint());
  CHECK(http::is_trusted_peer(socket.native_handle(), path));
  CHECK_FALSE(http::is_trusted_peer(-1, path));
}

TEST_CASE("Client.SendsNothingToASocketOfAnotherUser") {
  if (::geteuid() != 0) return;  // only root can be two users
  constexpr uid_t kOther = 65534;
  Scratch scratch;
  ::chmod((scratch / ".").c_str(), 0777);
  auto const path = scratch / "a.sock";
  boost::asio::io_context io;
  using Local = boost::asio::local::stream_protocol;
  Local::acceptor acceptor{io};
  acceptor.open();
  REQUIRE(::seteuid(kOther) == 0);
  boost::system::error_code error;
  acceptor.bind(Local::endpoint{path.native()}, error);
  if (!error) acceptor.listen(1, error);
  REQUIRE(::seteuid(0) == 0);
  if (error) return;  // the path to the scratch directory is closed to others
  auto const answer = http::client_of_socket(path)->call(asking());
  REQUIRE(!answer);
  CHECK(answer.error().code == core::Code::kForbidden);
  auto connection = acceptor.accept();
  char byte = 0;
  CHECK(::recv(connection.native_handle(), &byte, 1, 0) == 0);
}
