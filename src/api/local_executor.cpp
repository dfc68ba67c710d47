#include "api/local_executor.hpp"

#include <future>
#include <random>

#include "api/operation.hpp"
#include "api/retry_record.hpp"
#include "api/trouble.hpp"
#include "api/workspace_port.hpp"
#include "os/files/time_zones.hpp"
#include "os/random.hpp"
#include "reflect/json.hpp"
#include "service/boards/board_settling.hpp"
#include "service/fence.hpp"
#include "service/insight/possible_verbs.hpp"
#include "service/limits/storage_totals.hpp"
#include "service/reference.hpp"
#include "service/runners/runners.hpp"
#include "store/contract/servers.hpp"
#include "store/contract/store.hpp"
#include "store/contract/store_error.hpp"
#include "store/contract/writer_times.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"

namespace andon::api {
namespace {

using core::Code;

/// The time limit of a slow read in a server, where other reads wait for its thread.
constexpr store::Milliseconds kLongestRead = std::chrono::seconds{5};

/// How long a credential that another server revoked may still be used here.
constexpr core::Duration kSharedKnownFor = std::chrono::seconds{1};

/// Spreads retries; nothing is kept secret by it.
double jitter() {
  thread_local std::minstd_rand drawn = [] {
    std::uint32_t seed = 0;
    os::random_bytes(std::as_writable_bytes(std::span{&seed, 1}));
    return std::minstd_rand{seed};
  }();
  return std::generate_canonical<double, 32>(drawn);
}

core::Result<void> check_access(Call const& call) {
  if (may_call(call.caller.role, *call.operation)) return {};
  auto const needed = call.operation->access;
  return core::refuse(Code::kForbidden,
                      "this needs the rights of " + std::string{needed == Access::admin ? "the administrator"
                                                                : needed == Access::runner ? "a runner"
                                                                                           : "a person"});
}

void name_machines(service::OperationContext& unit, std::string const& server) {
  unit.answered_by = server;
  unit.server = service::is_runner(unit) ? std::string_view{unit.caller.actor.name} : server;
}

/// A run may write only while it holds its task. The answer to a repeated write is given before this check.
core::Result<void> check_fence(Call const& call, service::OperationContext& unit) {
  auto const& operation = *call.operation;
  if (operation.function != of<&service::register_runner>) ANDON_CHECK(service::check_incarnation(unit));
  if (!call.caller.run || operation.effect == Effect::read) return {};
  if (operation.fence == Fence::supervising && service::is_supervising(unit)) return {};
  bool const may_be_late = operation.fence == Fence::renewal;
  return service::check_fence(unit, may_be_late ? service::Lateness::accepted : service::Lateness::refused);
}

/// A conflict over a task is answered with the task as it is.
void add_current(Call const& call, service::OperationContext& unit, core::Error& error) {
  constexpr int kConflict = 409;
  if (core::row(error.code).http != kConflict || error.current || !names_task(*call.operation)) return;
  auto const* id = reflect::find_member(*call.operation->request, "id");
  if (!id || id->type != &reflect::type_of<service::TaskRef>()) return;
  if (auto task = service::find_task(unit, *static_cast<service::TaskRef*>(id->at(call.request.get()))))
    error.current = std::make_shared<core::Task const>(*std::move(task));
}

/// Counts what a metered write has stored. One that stores more than its request has, such as the tasks of
/// a chain, counts as what it stores.
core::Result<void> count_stored(Call const& call, service::OperationContext& unit) {
  if (call.bytes == 0 || unit.dry_run || unit.made_nothing) return {};
  return service::count_stored(unit, call.operation->stores, std::max(call.bytes, unit.tx.added_bytes()));
}

/// Runs the operation inside a unit of work, with its record for retries. The JSON of an answer is written
/// after the unit, because no other unit can run during it; only that of a retry record is written within.
core::Result<Answer> invoke(Call& call, service::OperationContext& unit) {
  ANDON_CHECK(check_access(call));
  ANDON_TRY(auto record, RetryRecord::open(call, unit.tx));
  if (record.answer)
    return Answer{.operation = call.operation, .json = *std::move(record.answer), .is_repeated = true};
  ANDON_CHECK(check_fence(call, unit));
  auto response = call.operation->invoke(unit, call.request.get());
  if (!response) {
    auto error = std::move(response).error();
    add_current(call, unit, error);
    return std::unexpected(std::move(error));
  }
  ANDON_CHECK(count_stored(call, unit));
  Answer answer{.operation = call.operation, .value = *std::move(response)};
  // A retry of a request that made nothing is answered anew, in the same way.
  if (!record.key.empty() && !unit.made_nothing) record.keep(unit.tx, answer.text(), unit.now);
  return answer;
}

/// Says in the answer what its caller may do with the task, as it is at the end of the unit.
void tell_verbs(Call const& call, service::OperationContext& unit, Answer& answer) {
  if (!call.tells_verbs || !call.operation->task_in || !answer.read()) return;
  service::tell_verbs(unit, *call.operation->task_in(answer.value.get()));
}

constexpr std::size_t kMostQuestions = 64;

/// The credentials that a unit of work changed, each with the caller it now stands for.
std::vector<ChangedCredential> changed_by(service::OperationContext& ctx) {
  std::vector<ChangedCredential> out;
  for (auto const& hash : ctx.changed_credentials) out.push_back({hash, service::principal_of(ctx, hash)});
  return out;
}

/// Lets the credentials that a unit of work changed follow it, before its result is told.
void take_credentials(CredentialBook& book, std::vector<ChangedCredential> const& changed, bool has_failed,
                      core::Instant now) {
  if (has_failed) return book.forget(changed);
  book.change(changed, now);
}

store::UnitKind kind_of(Operation const& operation) {
  return {.name = operation.name, .urgency = operation.urgency, .bound = operation.bound};
}

/// Whether an operation changes nothing in the store. Answers of the workspace port do not.
bool is_read(Operation const& operation) { return operation.effect == Effect::read || operation.finish; }

}  // namespace

/// Applies changes of boards to their tasks, by one unit of work after another.
class LocalExecutor::Settler : public std::enable_shared_from_this<Settler> {
 public:
  /// `is_served` says whether work goes on after the caller has its answer. Otherwise it waits for `run`.
  Settler(store::Store& store, std::shared_ptr<Timeline> timeline, bool is_served)
      : store_(store), timeline_(std::move(timeline)), is_served_(is_served) {}

  /// Notes that a write left work. Begins it unless it is under way already.
  void note_work() {
    if (!is_served_)
      is_left_ = true;
    else if (!is_busy_.exchange(true))
      step();
  }
  /// Does no more than it is at.
  void stop() { is_stopped_ = true; }

  /// Does the noted work that is still to do, and returns when it is done.
  void run() {
    if (!is_left_.exchange(false)) return;
    while (settle_once()) {
    }
  }

 private:
  store::Outcome settle(store::Tx& tx, bool& has_more) const {
    service::Caller const system{{}, service::Role::admin, core::Source::automation, {}};
    service::OperationContext unit{tx,      timeline_->now_in(tx), system, 0.5, {}, {},
                                   nullptr, &os::time_zones()};
    has_more = service::settle_boards(unit);
    return store::Outcome::commit;
  }

  void step() {
    auto const has_more = std::make_shared<bool>(false);
    store_.submit(
        [self = shared_from_this(), has_more](store::Tx& tx) { return self->settle(tx, *has_more); },
        [self = shared_from_this(), has_more](std::exception_ptr const& trouble) {
          if (!trouble && *has_more && !self->is_stopped_) return self->step();
          self->is_busy_ = false;
        },
        {}, {.name = "settle_boards"});
  }

  bool settle_once() {
    bool has_more = false;
    store::write(store_, [&](store::Tx& tx) { return settle(tx, has_more); });
    return has_more;
  }

  store::Store& store_;
  std::shared_ptr<Timeline> timeline_;
  bool const is_served_;
  std::atomic<bool> is_left_ = false;
  std::atomic<bool> is_busy_ = false;
  std::atomic<bool> is_stopped_ = false;
};

LocalExecutor::LocalExecutor(store::Store& store, os::Clock const& clock, std::size_t readers,
                             std::string build, ClockSteps steps)
    : store_(store),
      clock_(clock),
      timeline_(std::make_shared<Timeline>(clock, steps)),
      origins_{{{}, std::move(build)}},
      credentials_(store.servers() ? std::make_shared<CredentialBook>(kSharedKnownFor)
                                   : std::make_shared<CredentialBook>()),
      server_(std::make_shared<std::string>(service::kOnlyServer)),
      settler_(std::make_shared<Settler>(store, timeline_, readers > 0)),
      brief_(readers),
      slow_(readers),
      lookups_(readers > 0 ? 1 : 0),
      questions_(readers) {}

LocalExecutor::~LocalExecutor() { settler_->stop(); }

std::uint64_t LocalExecutor::credentials() const {
  auto const out = credentials_->generation();
  return store_.servers() ? out + static_cast<std::uint64_t>(clock_.uptime() / kSharedKnownFor) : out;
}

service::Origin const& LocalExecutor::origin() const {
  auto const now = clock_.uptime();
  {
    std::scoped_lock const lock{origin_mutex_};
    bool const is_old = store_.servers() && now - origin_read_at_ >= kSharedKnownFor;
    if (!origins_.back().incarnation.empty() && !is_old) return origins_.back();
    origin_read_at_ = now;  // others take the known one meanwhile
  }
  auto incarnation = store_.incarnation();  // may wait for a database, so the lock is free
  std::scoped_lock const lock{origin_mutex_};
  if (incarnation != origins_.back().incarnation)
    origins_.push_back({std::move(incarnation), origins_.back().build});
  return origins_.back();
}

service::Origin const& LocalExecutor::known_origin() const {
  {
    std::scoped_lock const lock{origin_mutex_};
    if (!origins_.back().incarnation.empty()) return origins_.back();
  }
  return origin();
}

void LocalExecutor::start_question(Call call, Reply reply) {
  if (questions_waiting_.fetch_add(1) >= kMostQuestions) {
    --questions_waiting_;
    return reply(core::refuse(
        Code::kBusy, "too many questions about repositories and files wait for an answer; try again"));
  }
  questions_.run(std::string{call.reader},
                 [this, call = std::move(call), reply = std::move(reply)]() mutable {
                   auto answer = run_read(call);
                   --questions_waiting_;
                   reply(std::move(answer));
                 });
}

core::Result<Answer> LocalExecutor::run_read(Call& call, std::optional<store::Milliseconds> most) {
  auto const finish = call.operation->finish;
  core::Result<Answer> answer;
  try {
    auto const& from = origin();
    store_.read([&](store::Tx& tx) {
      if (most) tx.give_up_after(*most, call.abandoned);
      service::OperationContext unit{tx, timeline_->now_in(tx), call.caller, jitter(),
                                     {}, call.expected_rev,     &from,       &os::time_zones()};
      name_machines(unit, *server_);
      answer = invoke(call, unit);
      if (answer) tell_verbs(call, unit, *answer);
    });
    if (answer && finish) ANDON_SET(answer->value, finish(ports(), answer->value.get()));
    timeline_->follow(store_);
  } catch (...) {
    return std::unexpected(error_of_trouble(std::current_exception()));
  }
  return answer;
}

core::Result<Answer> LocalExecutor::run_slow_read(Call& call) {
  if (call.abandoned && *call.abandoned) return core::refuse(Code::kBusy, "the client disconnected");
  return run_read(call, kLongestRead);
}

void LocalExecutor::start_write(Call call, Reply reply) {
  timeline_->follow(store_);
  struct Job {
    Call call;
    core::Result<Answer> answer;
    Reply reply;
    std::vector<ChangedCredential> credentials{};
    bool is_settling = false;
  };
  auto job = std::make_shared<Job>(Job{std::move(call), {}, std::move(reply)});
  auto const patience = job->call.patience;
  store_.submit(
      [timeline = timeline_, server = server_, job](store::Tx& tx) {
        auto& c = job->call;
        if (c.abandoned && *c.abandoned) {
          job->answer = core::refuse(Code::kBusy, "the client disconnected");
          return store::Outcome::rollback;
        }
        service::OperationContext unit{tx,       timeline->now_in(tx), c.caller,
                                       jitter(), c.idempotency_key,    c.expected_rev,
                                       nullptr,  &os::time_zones()};
        name_machines(unit, *server);
        job->answer = invoke(c, unit);
        if (job->answer) tell_verbs(c, unit, *job->answer);
        if (job->answer) job->answer->made_nothing = unit.made_nothing;
        bool const is_kept = job->answer && !unit.dry_run;
        job->credentials = is_kept ? changed_by(unit) : std::vector<ChangedCredential>{};
        job->is_settling = service::is_any_settling(unit);
        if (job->answer && unit.dry_run) return store::Outcome::rollback;
        if (job->answer) return timeline->note(unit), store::Outcome::commit;
        auto const code = job->answer.error().code;
        bool const nothing =
            code == Code::kNothingToPick || code == Code::kPickUnfinished || code == Code::kWipLimitExceeded;
        // The store heeds it where there is patience, or more to look at than one unit may.
        return nothing ? store::Outcome::retry : store::Outcome::rollback;
      },
      [&clock = clock_, credentials = credentials_, settler = settler_,
       job](std::exception_ptr const& trouble) {
        take_credentials(*credentials, job->credentials, trouble != nullptr, clock.now());
        if (job->is_settling) settler->note_work();
        if (trouble) job->answer = std::unexpected(error_of_trouble(trouble));
        job->reply(std::move(job->answer));
      },
      patience, kind_of(*job->call.operation));
}

core::Result<void> LocalExecutor::prepare(Call& call) {
  ANDON_CHECK(check_access(call));
  try {
    core::Result<Object> question;
    store_.read([&](store::Tx& tx) {
      service::OperationContext unit{tx,      timeline_->now_in(tx), call.caller, jitter(), {}, {},
                                     nullptr, &os::time_zones()};
      name_machines(unit, *server_);
      if (auto const fence = check_fence(call, unit); !fence)
        question = std::unexpected(fence.error());
      else
        question = call.operation->prepare.ask(unit, call.request.get());
    });
    if (!question) return std::unexpected(std::move(question).error());
    return call.operation->prepare.answer(ports(), question->get(), call.request.get());
  } catch (...) {
    return std::unexpected(error_of_trouble(std::current_exception()));
  }
}

void LocalExecutor::start(Call call, Reply reply) {
  if (auto admitted = admit(call); !admitted) return reply(std::unexpected(std::move(admitted).error()));
  auto const reader = call.reader;
  if (call.operation->prepare.clear)
    return slow_.run(reader, [this, call = std::move(call), reply = std::move(reply)]() mutable {
      reply(run_metered(std::move(call)));
    });
  if (call.operation->prepare.ask)
    return slow_.run(reader, [this, call = std::move(call), reply = std::move(reply)]() mutable {
      if (auto ready = prepare(call); !ready) return reply(std::unexpected(std::move(ready).error()));
      start_write(std::move(call), std::move(reply));
    });
  if (call.operation->finish) return start_question(std::move(call), std::move(reply));
  if (!is_read(*call.operation)) return start_write(std::move(call), std::move(reply));
  if (takes_long(*call.operation, call.request.get()))
    return slow_.run(reader, [this, call = std::move(call), reply = std::move(reply)]() mutable {
      reply(run_slow_read(call));
    });
  brief_.run(reader,
             [this, call = std::move(call), reply = std::move(reply)]() mutable { reply(run_read(call)); });
}

bool LocalExecutor::leads() const { return !store_.servers() || store_.servers()->leads(); }
store::Servers* LocalExecutor::servers() const { return store_.servers(); }
void LocalExecutor::begin_serving() {
  if (!store_.servers()) timeline_->follow_absence(store_);
}

store::WriterTimes& LocalExecutor::writer_times() { return store_.writer_times(); }
Ports LocalExecutor::ports() const { return {workspace_port_.load(), store_.attachment_files()}; }

void LocalExecutor::settle() {
  try {
    settler_->run();
  } catch (store::StoreError const&) {  // NOLINT(bugprone-empty-catch)
    // The boards stay marked as settling; the next write continues.
  }
}

void LocalExecutor::on_commit(std::function<void(core::EventSeq)> listener) {
  store_.on_commit(std::move(listener));
}

void LocalExecutor::on_reader(std::move_only_function<void()> job, std::string const& owner,
                              Reading reading) {
  (reading == Reading::slow ? slow_ : brief_).run(owner, std::move(job));
}

void LocalExecutor::look_up(std::string const& hash,
                            std::move_only_function<void(core::Result<service::Principal>)> found) {
  lookups_.run({}, [this, hash, found = std::move(found)]() mutable {
    auto const generation = credentials_->generation();
    core::Result<service::Principal> out = core::refuse(Code::kBusy, "the store does not answer; try again");
    try {
      read([&](service::OperationContext& ctx) { out = service::principal_of(ctx, hash); });
      if (out) credentials_->learn(hash, *out, generation, clock_.now());
    } catch (store::StoreError const&) {  // NOLINT(bugprone-empty-catch): the caller is told to try again
    }
    found(std::move(out));
  });
}

/// Counts the request of a write for the rate of its caller. A refused one counts as well: it was looked at.
core::Result<void> LocalExecutor::admit(Call& call) {
  auto const& operation = *call.operation;
  ANDON_CHECK(redact(call, admission_.redact));
  if (is_read(operation) || !service::StorageMeter::is_metered(call.caller)) return {};
  call.bytes = size_of(call);
  return meter(call.caller, {.stored = operation.stores, .bytes = call.bytes});
}

core::Result<Answer> LocalExecutor::run(Call call) {
  ANDON_CHECK(admit(call));
  return run_metered(std::move(call));
}

core::Result<Answer> LocalExecutor::run_metered(Call call) {
  if (is_read(*call.operation)) return run_read(call);
  if (call.operation->prepare.ask) ANDON_CHECK(prepare(call));
  if (call.operation->prepare.clear) return run_and_clear(std::move(call));
  return run_write(std::move(call));
}

core::Result<Answer> LocalExecutor::run_write(Call call) {
  std::promise<core::Result<Answer>> promise;
  auto written = promise.get_future();
  start_write(std::move(call), [&promise](core::Result<Answer> a) { promise.set_value(std::move(a)); });
  return written.get();
}

void LocalExecutor::read(std::function<void(service::OperationContext&)> const& work,
                         service::Caller const& caller) {
  auto const& from = origin();
  store_.read([&](store::Tx& tx) {
    service::OperationContext unit{tx, timeline_->now_in(tx), caller, 0.5, {}, {}, &from, &os::time_zones()};
    name_machines(unit, *server_);
    work(unit);
  });
}

void LocalExecutor::write(std::function<bool(service::OperationContext&)> const& work,
                          service::Caller const& caller) {
  timeline_->follow(store_);
  std::vector<ChangedCredential> changed;
  auto const unit_of_work = [&](store::Tx& tx) {
    service::OperationContext unit{tx,      timeline_->now_in(tx), caller, 0.5, {}, {},
                                   nullptr, &os::time_zones()};
    name_machines(unit, *server_);
    bool const keep = work(unit);
    changed = keep ? changed_by(unit) : std::vector<ChangedCredential>{};
    if (keep) timeline_->note(unit);
    return keep ? store::Outcome::commit : store::Outcome::rollback;
  };
  try {
    store::write(store_, unit_of_work);
  } catch (...) {
    take_credentials(*credentials_, changed, true, clock_.now());
    throw;
  }
  take_credentials(*credentials_, changed, false, clock_.now());
}

void LocalExecutor::start_writing(std::move_only_function<bool(service::OperationContext&)> work,
                                  std::move_only_function<void(std::exception_ptr)> done) {
  timeline_->follow(store_);
  auto const changed = std::make_shared<std::vector<ChangedCredential>>();
  store_.submit(
      [timeline = timeline_, server = server_, work = std::move(work), changed](store::Tx& tx) mutable {
        static service::Caller const nobody;
        service::OperationContext unit{tx,      timeline->now_in(tx), nobody, 0.5, {}, {},
                                       nullptr, &os::time_zones()};
        name_machines(unit, *server);
        bool const keep = work(unit);
        if (keep) timeline->note(unit);
        *changed = keep ? changed_by(unit) : std::vector<ChangedCredential>{};
        return keep ? store::Outcome::commit : store::Outcome::rollback;
      },
      [&clock = clock_, credentials = credentials_, changed,
       done = std::move(done)](std::exception_ptr trouble) mutable {
        take_credentials(*credentials, *changed, trouble != nullptr, clock.now());
        done(std::move(trouble));
      });
}

}  // namespace andon::api
