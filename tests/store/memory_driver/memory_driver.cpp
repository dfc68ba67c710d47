#include "store/memory_driver/memory_driver.hpp"

#include <atomic>
#include <stdexcept>

namespace andon::test {

using namespace store::engine;

MemoryDriver::MemoryDriver() {
  static std::atomic<int> last{0};
  Tables tables;
  tables.registry.incarnation = "memory-" + std::to_string(++last);
  commit(std::make_shared<Tables const>(std::move(tables)));
}

std::unique_ptr<Session> MemoryDriver::open(Rights) { return std::make_unique<MemorySession>(*this); }

std::shared_ptr<Tables const> MemoryDriver::committed() {
  os::MutexLock const lock{mutex_};
  return committed_;
}

void MemoryDriver::commit(std::shared_ptr<Tables const> tables) {
  os::MutexLock const lock{mutex_};
  committed_.swap(tables);
}

void MemorySession::begin(Rights rights) {
  rollback();
  seen_ = driver_.committed();
  if (rights == Rights::write) seen_ = own_ = std::make_shared<Tables>(*seen_);
  state_.in_transaction = true;
}

void MemorySession::commit() {
  driver_.commit(own_);
  rollback();
}

void MemorySession::rollback() {
  mark_.reset();
  own_.reset();
  state_.in_transaction = false;
}

void MemorySession::undo_to_mark() {
  if (mark_) *own_ = *std::exchange(mark_, std::nullopt);
}

void MemorySession::start_unit(ReadLimit const& limit) {
  state_.has_failed = false;
  is_overlong_ = [limit, start = std::chrono::steady_clock::now()] {
    return (limit.abandoned && *limit.abandoned) ||
           (limit.most && std::chrono::steady_clock::now() - start >= *limit.most);
  };
}

Tables const& MemorySession::look() {
  if (is_overlong_ && is_overlong_()) fail(store::StoreError::Kind::overlong, "the unit read for too long");
  if (!state_.in_transaction) seen_ = driver_.committed();
  return *seen_;
}

void MemorySession::fail(store::StoreError::Kind kind, std::string text) {
  state_.has_failed = true;
  throw store::StoreError{kind, std::move(text)};
}

FileTable& MemorySession::files() { throw std::logic_error{"this database keeps no boards of files"}; }

std::optional<Registry> MemorySession::registry(std::int64_t known) {
  auto const& registry = look().registry;
  return registry.number == known ? std::nullopt : std::optional{registry};
}

std::vector<core::Run> MemorySession::runs(RunsQuery const& query) {
  using Kind = RunsQuery::Kind;
  auto out = look().runs;
  std::erase_if(out, [&](core::Run const& run) {
    return (query.kind == Kind::by_id && run.id != query.id) ||
           (query.kind == Kind::of_task && run.task != query.id) ||
           (query.kind == Kind::live && run.state == core::RunState::ended);
  });
  if (query.kind == Kind::recent) std::ranges::reverse(out);
  out.resize(std::min(out.size(), query.most));
  return out;
}

Records MemorySession::records(RecordsQuery const& query) {
  using Kind = RecordsQuery::Kind;
  auto const number = query.number;
  Records out;
  auto const fill = [&](auto table, auto const& holds) {
    for (auto const& row : look().records.*table)
      if ((out.*table).size() < query.most && holds(row)) (out.*table).push_back(row);
  };
  auto const has_key = [&](auto const& row) { return row.first == query.key; };
  switch (query.kind) {
    case Kind::guard: fill(&Records::guards, [&](auto const& row) { return row.first == number; }); break;
    case Kind::automations:
      fill(&Records::automations,
           [&](auto const& row) { return number == 0 || row.automation.id == number; });
      break;
    case Kind::token: fill(&Records::tokens, [&](auto const& row) { return row.hash == query.key; }); break;
    case Kind::tokens: fill(&Records::tokens, [&](auto const& row) { return row.id > number; }); break;
    case Kind::tokens_of_run:
      fill(&Records::tokens, [&](auto const& row) { return row.run != 0 && row.run == number; });
      break;
    case Kind::remembered: fill(&Records::remembered, has_key); break;
    case Kind::setting: fill(&Records::settings, has_key); break;
    case Kind::settings: fill(&Records::settings, [](auto const&) { return true; }); break;
    case Kind::settling:
      fill(&Records::settling, [&](auto const& row) { return row.board == number; });
      break;
  }
  std::ranges::sort(out.settings);
  return out;
}

}  // namespace andon::test
