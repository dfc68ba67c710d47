#include "tui/program/board_link.hpp"

#include <algorithm>

#include "api/call.hpp"
#include "api/operation.hpp"
#include "reflect/json.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/tasks.hpp"

namespace andon::tui {
namespace {

constexpr int kPage = 500;
constexpr int kFirstOfColumn = 50;  ///< more than a screen shows, so that the first picture comes at once
constexpr std::chrono::seconds kBetweenReadings{2};  ///< of a board that cannot be read
constexpr std::size_t kMostCards = 20'000;

template <class T>
core::Result<T> read_as(core::Result<api::Answer> answer) {
  if (!answer) return std::unexpected(answer.error());
  return std::move(*answer).as<T>();
}

core::Result<boost::json::value> value_of(core::Result<api::Answer> const& answer) {
  if (!answer) return std::unexpected(answer.error());
  auto const text = answer->text();
  if (text.empty()) return boost::json::value{};
  return reflect::parse_json(text, api::kAnswerLimits);
}

template <auto F, class Request>
core::Result<api::Answer> run_on(BoardWay const& way, Request request) {
  return way.executor->run(api::call_of<F>(std::move(request), way.caller));
}

core::Result<api::Answer> run_ask(BoardWay const& way, Ask const& ask) {
  api::Call call;
  call.operation = ask.operation;
  ANDON_SET(call.request, api::decode(*ask.operation, ask.request));
  call.caller = way.caller;
  call.expected_rev = ask.rev;
  call.tells_verbs = true;
  return way.executor->run(std::move(call));
}

bool is_change(BoardLink::Job const& job) {
  auto const* ask = std::get_if<Ask>(&job);
  return ask && ask->operation->effect != api::Effect::read;
}

/// The board of a server that is shown when none is asked for. Files have one, which a request without a name
/// means; a request for its name would look at every file.
core::Result<std::string> first_board(BoardWay const& way) {
  ANDON_TRY(auto const boards,
            read_as<service::Boards>(run_on<&service::list_boards>(way, service::ListBoardsRequest{})));
  if (boards.items.empty())
    return core::refuse(core::Code::kBoardNotFound,
                        "There is no board yet. Make one with: andon boards create NAME");
  return boards.items.front().name;
}

}  // namespace

BoardLink::BoardLink(BoardAccess access, Mailbox& mailbox)
    : access_(std::move(access)),
      mailbox_(mailbox),
      follower_(access_, mailbox, [this] { start(ReadBoard{}); }),
      worker_([this] { work(); }) {}

BoardLink::~BoardLink() {
  {
    std::lock_guard const lock{mutex_};
    is_ending_ = true;
    std::erase_if(jobs_, [](Job const& job) { return !is_change(job); });
  }
  changed_.notify_all();
  worker_.join();
}

void BoardLink::start(Job job) {
  std::lock_guard const lock{mutex_};
  // A board that is to be read anew twice is read once.
  if (auto const* read = std::get_if<ReadBoard>(&job); read && read->board.empty())
    for (auto const& waiting : jobs_)
      if (std::holds_alternative<ReadBoard>(waiting)) return;
  jobs_.push_back(std::move(job));
  changed_.notify_all();
}

/// The next job; nothing when there is something else to do, or nothing any more. A board is read to its end
/// before it is read anew, or steady changes would keep its last cards away.
std::optional<BoardLink::Job> BoardLink::next() {
  std::unique_lock lock{mutex_};
  auto const has_work = [&] { return is_ending_ || !jobs_.empty() || !reading_.rest.empty(); };
  if (reading_.must_retry) {
    if (!changed_.wait_for(lock, kBetweenReadings, has_work)) return ReadBoard{};
  } else {
    changed_.wait(lock, has_work);
  }
  auto const found = std::ranges::find_if(jobs_, [&](Job const& job) {
    auto const* read = std::get_if<ReadBoard>(&job);
    return !read || !read->board.empty() || reading_.rest.empty();
  });
  if (found == jobs_.end()) return std::nullopt;
  auto job = std::move(*found);
  jobs_.erase(found);
  return job;
}

bool BoardLink::is_ending() {
  std::lock_guard const lock{mutex_};
  return is_ending_;
}

void BoardLink::work() {
  for (;;) {
    auto const job = next();
    if (job)
      std::visit([this](auto const& one) { run(one); }, *job);
    else if (is_ending())
      return;
    else
      read_more();
    if (!access_.is_shared) way_.reset();
  }
}

BoardWay* BoardLink::way() {
  if (way_) return &*way_;
  auto opened = access_.open();
  if (!opened) {
    reading_.must_retry = true;
    mailbox_.post(Connection{opened.error().message});
    return nullptr;
  }
  way_ = *std::move(opened);
  return &*way_;
}

void BoardLink::lose_way(std::string const& reason) {
  reading_.must_retry = true;
  way_.reset();
  reading_.rest.clear();
  mailbox_.post(Connection{reason});
}

void BoardLink::run(Ask const& ask) {
  auto const* open = way();
  if (!open)
    return mailbox_.post(Answered{ask, core::refuse(core::Code::kBusy, "the board cannot be reached")});
  mailbox_.post(Answered{ask, value_of(run_ask(*open, ask))});
}

void BoardLink::run(ReadOutput const& read) {
  auto const* open = way();
  if (!open) return;
  if (!open->server)
    return mailbox_.post(OutputRead{
        read.run, core::refuse(core::Code::kInvalidInput, "the output is read from a server: andon serve")});
  mailbox_.post(OutputRead{read.run, open->server->run_output(read.run, read.since)});
}

void BoardLink::run(ReadBoard const& read) {
  auto const* open = way();
  if (!open) return;
  if (!read.board.empty()) reading_.board = read.board;
  if (reading_.board.empty() && open->server) {
    auto const first = first_board(*open);
    if (!first) return lose_way(first.error().message);
    reading_.board = *first;
  }
  service::SnapshotRequest request;
  request.board = reading_.board;
  request.column_max = kFirstOfColumn;
  auto snapshot = read_as<service::Snapshot>(run_on<&service::snapshot>(*open, std::move(request)));
  if (!snapshot) return lose_way(snapshot.error().message);
  reading_.board = snapshot->board.name;
  reading_.must_retry = false;
  reading_.rest.clear();
  reading_.cards = snapshot->tasks.size();
  for (auto const& column : snapshot->board.columns)
    if (auto const more = snapshot->more.find(column.name); more != snapshot->more.end())
      reading_.rest.push_back({column.name, more->second.cursor, core::is_terminal(column.stage)});
  auto const cursor = snapshot->epoch + "." + std::to_string(snapshot->seq);
  ++reading_.turn;
  mailbox_.post(BoardRead{*std::move(snapshot), open->server != nullptr, reading_.turn});
  if (reading_.rest.empty()) mailbox_.post(BoardComplete{});
  if (open->server) follower_.follow(reading_.board, cursor, reading_.turn);
}

/// Reads a page of what the first look left out.
void BoardLink::read_more() {
  if (reading_.rest.empty()) return;
  auto const* open = way();
  auto& rest = reading_.rest.front();
  service::ListTasksRequest request;
  request.board = reading_.board;
  request.status = {rest.column};
  // The order in which the snapshot began the column.
  request.sort = rest.is_finished ? "updated" : "pick";
  request.reverse = rest.is_finished;
  request.limit = kPage;
  request.cursor = rest.cursor;
  auto page = open ? read_as<service::CardList>(run_on<&service::list_cards>(*open, std::move(request)))
                   : core::refuse(core::Code::kBusy, "the board cannot be reached");
  if (!page) return lose_way(page.error().message);
  reading_.cards += page->items.size();
  if (page->next.empty())
    reading_.rest.pop_front();
  else
    rest.cursor = page->next;
  bool const is_cut = reading_.cards >= kMostCards && !reading_.rest.empty();
  if (is_cut) reading_.rest.clear();
  mailbox_.post(CardsRead{std::move(page->items)});
  if (reading_.rest.empty()) mailbox_.post(BoardComplete{is_cut});
}

}  // namespace andon::tui
