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
  auto out = look().records;
  auto const narrow = [&](auto& rows, std::initializer_list<Kind> kinds, auto const& is_asked) {
    if (!contains(kinds, query.kind)) rows.clear();
    std::erase_if(rows, [&](auto const& row) { return !is_asked(row); });
    if (rows.size() > query.most) rows.resize(query.most);
  };
  auto const is_number = [&](std::int64_t number) { return number == query.number; };
  narrow(out.guards, {Kind::guard}, [&](auto const& row) { return is_number(row.first); });
  narrow(out.automations, {Kind::automations},
         [&](auto const& row) { return query.number == 0 || is_number(row.automation.id); });
  auto const of_tokens = {Kind::token, Kind::token_beginning, Kind::tokens, Kind::tokens_of_run};
  narrow(out.tokens, of_tokens, [&](auto const& token) {
    if (query.kind == Kind::token) return token.hash == query.key;
    if (query.kind == Kind::token_beginning) return token.hash.starts_with(query.key);
    return query.kind == Kind::tokens ? token.id > query.number : token.run != 0 && is_number(token.run);
  });
  narrow(out.remembered, {Kind::remembered}, [&](auto const& row) { return row.first == query.key; });
  narrow(out.settings, {Kind::setting, Kind::settings},
         [&](auto const& row) { return query.kind == Kind::settings || row.first == query.key; });
  narrow(out.settling, {Kind::settling}, [&](auto const& row) { return is_number(row.board); });
  std::ranges::sort(out.settings);
  return out;
}

}  // namespace andon::test
