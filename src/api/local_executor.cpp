#include "api/local_executor.hpp"

#include <future>
#include <random>

#include "api/retry_record.hpp"
#include "api/workshop.hpp"
#include "os/random.hpp"
#include "os/time_zones.hpp"
#include "reflect/json.hpp"
#include "service/reference.hpp"

namespace andon::api {
namespace {

using core::Code;

struct TroubleRow {
  store::StoreError::Kind kind;
  Code code;
  std::string_view says;
};
constexpr std::array kTrouble{
    TroubleRow{store::StoreError::Kind::busy, Code::kBusy, "the store is busy; try again"},
    TroubleRow{store::StoreError::Kind::no_space, Code::kNoSpace,
               "there is no space left on the disk; nothing was changed"},
};

/// The one place where trouble of the world becomes an answer.
core::Error error_of(std::exception_ptr const& trouble) {
  try {
    std::rethrow_exception(trouble);
  } catch (store::StoreError const& error) {
    for (auto const& row : kTrouble)
      if (row.kind == error.kind()) return {row.code, std::string{row.says}, {}, {}, {}};
    if (error.kind() == store::StoreError::Kind::read_only)
      return {Code::kNoSpace, std::string{"nothing was changed: "} + error.what(), {}, {}, {}};
    if (error.kind() == store::StoreError::Kind::unusable)
      return {Code::kInternalError, error.what(), {}, {}, {}};
    if (error.kind() == store::StoreError::Kind::refused)
      return {Code::kInvalidInput, error.what(), {}, {}, {}};
    if (error.kind() == store::StoreError::Kind::unreachable) return {Code::kBusy, error.what(), {}, {}, {}};
    return {Code::kInternalError, std::string{"the store failed: "} + error.what(), {}, {}, {}};
  } catch (std::exception const& error) {
    return {Code::kInternalError, std::string{"unexpected: "} + error.what(), {}, {}, {}};
  }
}

/// Spreads retries; nothing is kept secret by it.
double chance() {
  thread_local std::minstd_rand drawn = [] {
    std::uint32_t seed = 0;
    os::random_bytes(std::as_writable_bytes(std::span{&seed, 1}));
    return std::minstd_rand{seed};
  }();
  return std::generate_canonical<double, 32>(drawn);
}

core::Result<void> check_access(Call const& call) {
  auto const needed = static_cast<int>(call.operation->access);
  if (static_cast<int>(call.caller.role) >= needed) return {};
  return core::refuse(Code::kForbidden, "this needs the rights of " +
                                            std::string{needed == 1 ? "a person" : "the administrator"});
}

/// A conflict over a task is answered with the task as it is.
void add_current(Call const& call, service::Unit& unit, core::Error& error) {
  constexpr int kConflict = 409;
  if (core::row(error.code).http != kConflict || error.current ||
      !call.operation->path.starts_with("/tasks/{id}"))
    return;
  std::string request;
  reflect::write_json(*call.operation->request, call.request.get(), request);
  auto const members = reflect::parse_json(request);
  auto const* id = members ? members->get_object().if_contains("id") : nullptr;
  if (!id || !id->is_string()) return;
  if (auto task = service::find_task(unit, service::TaskRef{std::string{id->get_string()}}))
    error.current = std::make_shared<core::Task const>(*std::move(task));
}

std::string json_of(Call const& call, Object const& response) {
  std::string json;
  reflect::write_json(*call.operation->response, response.get(), json);
  return json;
}

/// What a unit of work came to. Its JSON is made when the store is through with the unit, for nobody else can
/// write meanwhile; but that of a record for retries.
struct Outcome {
  Object response{};
  std::string json{};
};

Answer answer_of(Call const& call, core::Result<Outcome> outcome) {
  if (!outcome) return std::unexpected(std::move(outcome).error());
  return outcome->response ? json_of(call, outcome->response) : std::move(outcome->json);
}

/// Runs the operation inside a unit of work, with its record for retries.
core::Result<Outcome> invoke(Call& call, service::Unit& unit) {
  ANDON_CHECK(check_access(call));
  ANDON_TRY(auto record, RetryRecord::open(call, unit.tx));
  if (record.answer) return Outcome{.json = *std::move(record.answer)};
  auto response = call.operation->invoke(unit, call.request.get());
  if (!response) {
    auto error = std::move(response).error();
    add_current(call, unit, error);
    return std::unexpected(std::move(error));
  }
  if (record.key.empty()) return Outcome{.response = *std::move(response)};
  auto json = json_of(call, *response);
  record.keep(unit.tx, json, unit.now);
  return Outcome{.json = std::move(json)};
}

/// What the workshop answers changes nothing in the store.
bool is_read(Operation const& operation) { return operation.effect == Effect::read || operation.finish; }

}  // namespace

LocalExecutor::LocalExecutor(store::Store& store, os::Clock const& clock, std::size_t readers,
                             std::string build)
    : store_(store), clock_(clock), origin_{{}, std::move(build)} {
  for (std::size_t i = 0; i < readers; ++i) readers_.emplace_back([this] { serve(); });
}

LocalExecutor::~LocalExecutor() {
  {
    std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
}

service::Origin const& LocalExecutor::origin() const {
  // Not std::call_once: a release has an unwinder of its own, and no exception gets through the C library's.
  std::scoped_lock const lock{origin_mutex_};
  if (!origin_is_read_) origin_.incarnation = store_.incarnation();
  origin_is_read_ = true;
  return origin_;
}

void LocalExecutor::serve() {
  for (;;) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) return;
    auto job = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    job();
  }
}

Answer LocalExecutor::run_read(Call& call) {
  auto const finish = call.operation->finish;
  auto* workshop = workshop_.load();
  if (finish && !workshop)
    return core::refuse(Code::kNotFound,
                        "a board of files has no data directory: this needs a server or a data directory");
  core::Result<Outcome> outcome;
  try {
    auto const& from = origin();
    store_.read([&](store::Tx& tx) {
      service::Unit unit{tx, clock_.now(),      call.caller, chance(),
                         {}, call.expected_rev, &from,       &os::time_zones()};
      outcome = invoke(call, unit);
    });
    if (outcome && finish) ANDON_SET(outcome->response, finish(*workshop, outcome->response.get()));
  } catch (...) {
    return std::unexpected(error_of(std::current_exception()));
  }
  return answer_of(call, std::move(outcome));
}

void LocalExecutor::start_write(Call call, Reply reply) {
  struct Job {
    Call call;
    core::Result<Outcome> outcome;
    Reply reply;
    bool credentials_changed = false;
  };
  auto job = std::make_shared<Job>(Job{std::move(call), {}, std::move(reply)});
  auto const patience = job->call.patience;
  store_.submit(
      [this, job, patience](store::Tx& tx) {
        auto& c = job->call;
        if (c.abandoned && *c.abandoned) {
          job->outcome = core::refuse(Code::kBusy, "nobody waits for this answer");
          return store::Verdict::discard;
        }
        service::Unit unit{tx,      clock_.now(),     c.caller, chance(), c.idempotency_key, c.expected_rev,
                           nullptr, &os::time_zones()};
        job->outcome = invoke(c, unit);
        job->credentials_changed = unit.credentials_changed;
        if (job->outcome) return unit.rehearsal ? store::Verdict::discard : store::Verdict::keep;
        auto const code = job->outcome.error().code;
        bool const nothing = code == Code::kNothingToPick || code == Code::kWipLimitExceeded;
        return nothing && patience > core::Duration::zero() ? store::Verdict::again : store::Verdict::discard;
      },
      [this, job](std::exception_ptr const& trouble) {
        if (job->credentials_changed) ++credentials_;
        if (trouble) job->outcome = std::unexpected(error_of(trouble));
        job->reply(answer_of(job->call, std::move(job->outcome)));
      },
      patience);
}

core::Result<void> LocalExecutor::prepare(Call& call) {
  auto* workshop = workshop_.load();
  if (!workshop) return {};
  ANDON_CHECK(check_access(call));
  try {
    core::Result<Object> question;
    store_.read([&](store::Tx& tx) {
      service::Unit unit{tx, clock_.now(), call.caller, chance(), {}, {}, nullptr, &os::time_zones()};
      question = call.operation->prepare.ask(unit, call.request.get());
    });
    if (!question) return std::unexpected(std::move(question).error());
    return call.operation->prepare.answer(*workshop, question->get(), call.request.get());
  } catch (...) {
    return std::unexpected(error_of(std::current_exception()));
  }
}

void LocalExecutor::start(Call call, Reply reply) {
  if (call.operation->prepare.ask)
    return on_reader([this, call = std::move(call), reply = std::move(reply)]() mutable {
      if (auto ready = prepare(call); !ready) return reply(std::unexpected(std::move(ready).error()));
      start_write(std::move(call), std::move(reply));
    });
  if (!is_read(*call.operation)) return start_write(std::move(call), std::move(reply));
  on_reader([this, call = std::move(call), reply = std::move(reply)]() mutable { reply(run_read(call)); });
}

void LocalExecutor::on_commit(std::function<void(std::int64_t)> listener) {
  store_.on_commit(std::move(listener));
}

void LocalExecutor::on_reader(std::move_only_function<void()> job) {
  {
    std::scoped_lock lock(mutex_);
    queue_.push_back(std::move(job));
  }
  wake_.notify_one();
}

Answer LocalExecutor::run(Call call) {
  if (is_read(*call.operation)) return run_read(call);
  if (call.operation->prepare.ask) ANDON_CHECK(prepare(call));
  std::promise<Answer> promise;
  auto answer = promise.get_future();
  start_write(std::move(call), [&promise](Answer a) { promise.set_value(std::move(a)); });
  return answer.get();
}

void LocalExecutor::read(std::function<void(service::Unit&)> const& work, service::Caller const& caller) {
  auto const& from = origin();
  store_.read([&](store::Tx& tx) {
    service::Unit unit{tx, clock_.now(), caller, 0.5, {}, {}, &from, &os::time_zones()};
    work(unit);
  });
}

void LocalExecutor::write(std::function<bool(service::Unit&)> const& work, service::Caller const& caller) {
  bool credentials_changed = false;
  store::write(store_, [&](store::Tx& tx) {
    service::Unit unit{tx, clock_.now(), caller, 0.5, {}, {}, nullptr, &os::time_zones()};
    bool const keep = work(unit);
    credentials_changed = unit.credentials_changed;
    return keep ? store::Verdict::keep : store::Verdict::discard;
  });
  if (credentials_changed) ++credentials_;
}

}  // namespace andon::api
