#include "main/installation.hpp"

#include <iostream>

#include "os/data/data_exposure.hpp"
#include "os/digest.hpp"
#include "os/files/file.hpp"
#include "os/processes/log.hpp"
#include "os/processes/process.hpp"
#include "os/processes/program.hpp"
#include "os/random.hpp"
#include "runner/dispatch/local_workspace_port.hpp"
#include "store/contract/servers.hpp"
#include "store/open.hpp"

namespace andon::main {
namespace {

constexpr std::size_t kTokenBytes = 32;
constexpr std::size_t kLongestToken = 4096;

class OwningExecutor : public api::Executor {
 public:
  OwningExecutor(cli::DataDirectory const& place, os::Clock const& clock)
      : installation_(place, clock, 0),
        workspace_port_(installation_.executor(), installation_.data(), os::own_environment(),
                        os::own_program()) {
    installation_.executor().set_workspace_port(workspace_port_);
  }
  core::Result<api::Answer> run(api::Call call) override {
    auto& executor = installation_.executor();
    auto answer = executor.run(std::move(call));
    executor.settle();
    return answer;
  }

 private:
  Installation installation_;
  runner::LocalWorkspacePort workspace_port_;
};

/// The clock of the database where several servers share it, so that all judge leases alike.
class StoreClock final : public os::Clock {
 public:
  StoreClock(os::Clock const& own, store::Store& store) : own_(own), store_(store) {}
  core::Instant now() const override { return own_.now() + offset(); }
  core::Duration uptime() const override { return own_.uptime(); }
  core::ClockReading reading() const override {
    auto out = own_.reading();
    out.wall += offset();
    return out;
  }

 private:
  core::Duration offset() const {
    auto const* servers = store_.servers();
    return servers ? servers->clock_offset() : core::Duration{};
  }

  os::Clock const& own_;
  store::Store& store_;
};

void note_store(os::DataDirectory const& data, std::string const& url) {
  if (store::is_postgres(url)) os::write_file(data.store, store::display_url(url));
}

/// An executor on a store that has no data directory.
class BareExecutor : public api::Executor {
 public:
  BareExecutor(std::string const& url, os::Clock const& clock)
      : store_(store::open_store(url, store::exit_on_fatal, warn)),
        executor_(*store_, clock, 0, {}, api::ClockSteps::ignore) {}
  ~BareExecutor() override { store_->close(); }
  core::Result<api::Answer> run(api::Call call) override {
    auto answer = executor_.run(std::move(call));
    executor_.settle();
    return answer;
  }

 private:
  static void warn(std::string_view text) { std::cerr << "Warning: " << text << std::endl; }

  std::unique_ptr<store::Store> store_;
  api::LocalExecutor executor_;
};

}  // namespace

std::string store_url(os::DataDirectory const& data, std::string const& chosen) {
  if (auto const missing = os::missing_store(data, chosen))
    throw store::StoreError{store::StoreError::Kind::refused, *missing};
  auto const url = os::store_of(data.root, chosen);
  return url.empty() ? "sqlite:" + data.db.native() : url;
}

void refuse_exposed(os::DataDirectory const& data) {
  auto const found = os::exposures_of(data);
  if (!found.empty()) throw store::StoreError{store::StoreError::Kind::refused, found.front().exposure.text};
}

Installation::Installation(cli::DataDirectory const& place, os::Clock const& clock, std::size_t readers)
    : data_(os::data_directory(place.root)) {
  refuse_exposed(data_);
  os::make_directories(data_);
  auto const url = store_url(data_, place.store);
  store_ = store::open_store(url, store::exit_on_fatal,
                             [](std::string_view text) { os::log(os::Level::warning, std::string{text}); });
  note_store(data_, url);
  clock_ = std::make_unique<StoreClock>(clock, *store_);
  executor_ = std::make_unique<api::LocalExecutor>(
      *store_, *clock_, readers, std::string{},
      store_->servers() ? api::ClockSteps::ignore : api::ClockSteps::follow);
  keep_admin_token();
}

Installation::~Installation() {
  executor_.reset();
  store_->close();
}

/// Keeps the administrator's credential in the token file, and its hash in the store. Makes a new one if it
/// is missing or revoked.
void Installation::keep_admin_token() {
  auto secret = os::read_file_if_there(data_.token, kLongestToken).value_or("");
  secret.erase(secret.find_last_not_of("\r\n ") + 1);
  auto hash = os::hex(os::sha256(secret));
  auto state = service::CredentialState::unknown;
  executor_->read([&](service::OperationContext& u) { state = service::state_of_credential(u, hash); });
  if (state == service::CredentialState::known) return;
  if (secret.empty() || state == service::CredentialState::revoked) {
    secret = "andon_a_" + os::random_hex(kTokenBytes);
    os::write_file(data_.token, secret + "\n");
    hash = os::hex(os::sha256(secret));
  }
  executor_->write([&](service::OperationContext& u) {
    service::add_admin_token(u, hash);
    return true;
  });
}

core::Code code_of(store::StoreError const& error) {
  using Kind = store::StoreError::Kind;
  switch (error.kind()) {
    case Kind::busy: return core::Code::kBusy;
    case Kind::refused: return core::Code::kInvalidInput;
    case Kind::no_space:
    case Kind::read_only: return core::Code::kNoSpace;
    default: return core::Code::kInternalError;
  }
}

std::unique_ptr<api::Executor> open_board(std::filesystem::path const& root, os::Clock const& clock) {
  return std::make_unique<BareExecutor>("markdown:" + root.native(), clock);
}

std::unique_ptr<api::Executor> open_nothing(os::Clock const& clock) {
  return std::make_unique<BareExecutor>("sqlite::memory:", clock);
}

std::unique_ptr<api::Executor> open_installation(cli::DataDirectory const& place, os::Clock const& clock) {
  return std::make_unique<OwningExecutor>(place, clock);
}

}  // namespace andon::main
