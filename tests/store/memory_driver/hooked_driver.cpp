#include "store/memory_driver/hooked_driver.hpp"

#include "store/contract/store_error.hpp"

namespace andon::test {
namespace {

using namespace store::engine;

class HookedSession final : public Session {
 public:
  HookedSession(std::unique_ptr<Session> inner, Rights rights, DriverHooks const& hooks)
      : inner_(std::move(inner)), rights_(rights), hooks_(hooks) {}

  void begin(Rights rights) override { on(SessionCall::begin).begin(rights); }
  void commit() override { on(SessionCall::commit).commit(); }
  void rollback() override { on(SessionCall::rollback).rollback(); }
  void set_mark() override { on(SessionCall::mark).set_mark(); }
  void undo_to_mark() override { on(SessionCall::undo).undo_to_mark(); }
  void start_unit(ReadLimit const& limit) override {
    has_failed_ = false;
    on(SessionCall::start_unit).start_unit(limit);
  }
  SessionState state() const override {
    auto out = inner_->state();
    out.has_failed |= has_failed_;
    return out;
  }
  std::optional<Registry> registry(std::int64_t known) override { return read().registry(known); }
  std::vector<TaskRow> tasks(TasksQuery const& query) override { return read().tasks(query); }
  std::vector<TaskRow> tasks_in(TaskSet const& set) override { return read().tasks_in(set); }
  std::vector<Links> links(LinksQuery const& query) override { return read().links(query); }
  std::vector<core::Run> runs(RunsQuery const& query) override { return read().runs(query); }
  Records records(RecordsQuery const& query) override { return read().records(query); }
  std::vector<Candidate> candidates(CandidatesQuery const& query) override {
    return on(SessionCall::candidates).candidates(query);
  }
  QueueFacts queues(QueueQuestion const& question) override { return read().queues(question); }
  core::Result<ListRows> list(ListRequest const& request) override { return read().list(request); }
  SearchRows search(SearchRequest const& request) override { return read().search(request); }
  bool index_texts(std::int64_t least) override { return on(SessionCall::write).index_texts(least); }
  Statistics statistics(StatisticsQuestion const& question) override { return read().statistics(question); }
  std::vector<core::Event> events(store::EventFilter const& filter) override { return read().events(filter); }
  Removed remove(Removal const& removal) override { return on(SessionCall::write).remove(removal); }
  Uncounted uncounted(UncountedRequest const& request) override { return read().uncounted(request); }
  void write(Writes const& writes) override { on(SessionCall::write, &writes).write(writes); }
  FileTable& files() override { return inner_->files(); }

 private:
  Session& read() { return on(SessionCall::read); }
  Session& on(SessionCall call, Writes const* writes = nullptr) try {
    if (hooks_.on_call) hooks_.on_call(rights_, call);
    if (writes && hooks_.on_write) hooks_.on_write(*writes);
    return *inner_;
  } catch (store::StoreError const&) {
    has_failed_ = true;
    throw;
  }

  std::unique_ptr<Session> inner_;
  Rights rights_;
  DriverHooks const& hooks_;
  bool has_failed_ = false;
};

}  // namespace

std::unique_ptr<Session> HookedDriver::open(Rights rights) {
  return std::make_unique<HookedSession>(inner_->open(rights), rights, hooks_);
}

}  // namespace andon::test
