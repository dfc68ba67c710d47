#include "main/commands/store_commands.hpp"

#include <cerrno>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

#include <boost/json/serialize.hpp>

#include "cli/command_line/invocation.hpp"
#include "cli/command_line/pages.hpp"
#include "main/data_root.hpp"
#include "main/installation.hpp"
#include "os/data/data_directory.hpp"
#include "os/files/descriptor.hpp"
#include "os/files/file.hpp"
#include "os/processes/clock.hpp"
#include "os/system_error.hpp"
#include "service/history/retention.hpp"
#include "store/contract/backup.hpp"
#include "store/open.hpp"
#include "store/transfer/copy_store.hpp"
#include "store/transfer/postgres_backup.hpp"

namespace andon::main {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using cli::Invocation;
using cli::Takes;
using core::Code;
using core::Result;

core::Error error_of(store::StoreError const& error) { return {code_of(error), error.what(), {}, {}, {}}; }

Result<fs::path> file_named(Invocation& in) {
  if (in.given().words.size() != 1) return core::refuse(Code::kInvalidInput, "name one file", "file");
  return in.env().directory / in.given().words.front();
}

/// The boards that the command line names.
struct Boards {
  os::DataDirectory data;
  std::string url{};   ///< of their database
  std::string name{};  ///< for people
};

Result<Boards> boards_of(Invocation& in) {
  ANDON_TRY(auto const place, data_place(in));
  Boards out{os::data_directory(place.root)};
  refuse_exposed(out.data);
  out.url = store_url(out.data, place.store);
  out.name = store::is_postgres(out.url) ? store::display_url(out.url) : out.data.root.native();
  return out;
}

store::BackedUp back_up(Boards const& from, fs::path const& file, fs::path const& runs, core::Instant now) {
  if (store::is_postgres(from.url)) return store::transfer::backup_postgres(from.url, file, runs, now);
  return store::back_up(from.data.db, file, runs, now);
}

store::Restored restore(fs::path const& file, Boards const& to, core::Instant now) {
  if (store::is_postgres(to.url)) return store::transfer::restore_postgres(file, to.url, to.data.runs(), now);
  return store::restore(file, to.data.db, to.data.runs(), now);
}

Result<int> run_backup(Invocation& in) try {
  ANDON_TRY(auto const file, file_named(in));
  ANDON_TRY(auto const from, boards_of(in));
  auto const runs = in.given().has("runs") ? from.data.runs() : fs::path{};
  auto const done = back_up(from, file, runs, in.env().clock.now());
  if (in.screen().is_json())
    in.screen().print(
        json::object{{"file", file.native()}, {"bytes", done.bytes}, {"run_files", done.files}});
  else
    in.screen().print("Backed up " + from.name + " to " + file.native() + " (" +
                      std::to_string((done.bytes + (1 << 20) - 1) >> 20) + " MiB" +
                      (runs.empty() ? "" : ", " + std::to_string(done.files) + " files of runs") + ")\n");
  return 0;
} catch (store::StoreError const& error) {
  return core::refuse(error_of(error));
} catch (os::SystemError const& error) {
  return core::refuse(Code::kNoSpace, error.what());
}

/// Asks the person. False when the answer is not yes.
Result<bool> is_sure(Invocation& in, std::string const& name, fs::path const& file) {
  if (in.given().has("yes")) return true;
  if (!in.env().in_is_terminal)
    return core::refuse(
        Code::kConfirmationRequired,
        "the standard input is not a terminal; use --yes to replace the data without being asked");
  in.screen().tell("Replace all data in " + name + " by " + file.native() + "? [y/N]");
  std::string answer;
  std::getline(in.env().in, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

Result<int> run_restore(Invocation& in) try {
  ANDON_TRY(auto const file, file_named(in));
  ANDON_TRY(auto const to, boards_of(in));
  ANDON_TRY(auto const sure, is_sure(in, to.name, file));
  if (!sure) {
    in.screen().tell("Cancelled.");
    return 0;
  }
  os::make_directories(to.data);
  auto const done = restore(file, to, in.env().clock.now());
  if (in.screen().is_json()) {
    json::object out{{"file", file.native()}, {"run_files", done.files}};
    if (done.made != core::Instant{}) out["made"] = core::to_text(done.made);
    if (!done.former.empty()) out["former"] = done.former.native();
    in.screen().print(out);
    return 0;
  }
  auto const of = done.made == core::Instant{} ? "" : " of " + core::to_text(done.made);
  in.screen().print("Restored " + to.name + " from " + file.native() + of + "\n");
  if (!done.former.empty()) in.screen().tell("The data before is kept in " + done.former.native() + ".");
  return 0;
} catch (store::StoreError const& error) {
  return core::refuse(error_of(error));
} catch (os::SystemError const& error) {
  return core::refuse(Code::kNoSpace, error.what());
}

/// A file that receives events before the store deletes them.
class Archive {
 public:
  explicit Archive(fs::path path)
      : path_(std::move(path)),
        file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
    if (!file_) os::fail("open", path_.native());
  }
  /// Appends events. They are on the disk when this returns.
  void add(json::array const& events) {
    std::string lines;
    for (auto const& event : events) lines += json::serialize(event) + "\n";
    os::write_all(file_, lines, path_.native());
    if (::fsync(file_.get()) != 0) os::fail("bring to the disk", path_.native());
  }

 private:
  fs::path path_;
  os::Descriptor file_;
};

/// Trims one slice. With an archive, writes the slice's events to it first.
Result<service::Trimmed> trim_slice(Invocation& in, std::optional<Archive>& archive, bool rehearses) {
  json::object request;
  if (rehearses) request["dry_run"] = true;
  if (archive && !rehearses) {
    ANDON_TRY(auto const found, in.call<&service::trim_store>({{"dry_run", true}, {"show", true}}));
    if (auto const* items = found.as_object().if_contains("items")) archive->add(items->as_array());
    request["until"] = found.at("until");
  }
  ANDON_TRY(auto const answer, in.call<&service::trim_store>(request));
  return cli::answer_as<service::Trimmed>(answer);
}

Result<int> run_store_trim(Invocation& in) try {
  bool const rehearses = in.given().has("dry-run");
  std::optional<Archive> archive;
  if (auto const file = in.given().value("archive"); file && !rehearses)
    archive.emplace(in.env().directory / *file);
  service::Trimmed sum;
  cli::Pages slices(in);
  for (bool more = true; more;) {
    ANDON_TRY(auto const slice, trim_slice(in, archive, rehearses));
    sum.events += slice.events;
    sum.runs += slice.runs;
    sum.credentials += slice.credentials;
    sum.answers += slice.answers;
    sum.feed_begin = slice.feed_begin;
    more = slice.more && !rehearses;
    sum.more = slice.more;
    auto const removed = sum.events + sum.runs + sum.credentials + sum.answers;
    if (more) ANDON_CHECK(slices.check_next(std::to_string(removed)));
  }
  if (in.screen().is_json()) {
    in.screen().print(json::object{{"events", sum.events},
                                   {"runs", sum.runs},
                                   {"credentials", sum.credentials},
                                   {"answers", sum.answers},
                                   {"feed_begin", sum.feed_begin},
                                   {"more", sum.more}});
    return 0;
  }
  auto const what = std::to_string(sum.events) + " events, " + std::to_string(sum.runs) + " runs, " +
                    std::to_string(sum.credentials) + " credentials and " + std::to_string(sum.answers) +
                    " answers";
  in.screen().print(rehearses ? "Would remove " + what + (sum.more ? " at first, and more then\n" : "\n")
                              : "Removed " + what + "\n");
  return 0;
} catch (os::SystemError const& error) {
  return core::refuse(Code::kNoSpace, error.what());
}

void print_copied(Invocation& in, std::string const& from, std::string const& to,
                  store::transfer::Copied const& done) {
  if (in.screen().is_json())
    return in.screen().print(json::object{
        {"from", from}, {"to", to}, {"tables", done.tables}, {"rows", done.rows}, {"digest", done.digest}});
  in.screen().print("Copied " + from + " to " + to + " (" + std::to_string(done.tables) + " tables, " +
                    std::to_string(done.rows) + " rows, SHA-256 " + done.digest + ")\n");
}

/// Messages show URLs without passwords.
Result<int> run_store_copy(Invocation& in) try {
  namespace transfer = store::transfer;
  auto const& words = in.given().words;
  if (words.size() != 2)
    return core::refuse(Code::kInvalidInput, "name the store to copy and the new one", "to");
  auto const from = transfer::parse_endpoint(words[0]);
  auto const to = transfer::parse_endpoint(words[1]);
  auto const done = transfer::copy_store(from, to, in.env().clock.now());
  print_copied(in, transfer::display_url(from), transfer::display_url(to), done);
  return 0;
} catch (store::StoreError const& error) {
  return core::refuse(error_of(error));
} catch (os::SystemError const& error) {
  return core::refuse(Code::kNoSpace, error.what());
}

}  // namespace

std::vector<cli::NamedCommand> store_commands() {
  return {
      {"backup",
       "FILE",
       "Write the data of a data directory into one new file, also while a server uses it.",
       {{"runs", 0, Takes::nothing, "With the files of runs"}},
       &run_backup},
      {"restore",
       "FILE",
       "Replace the data of a data directory by a backup.",
       {{"yes", 'y', Takes::nothing, "Do not ask"}},
       &run_restore},
      {"store trim",
       "",
       "Remove what is over its time: old events, runs, credentials and answers.",
       {{"dry-run", 0, Takes::nothing, "Only say what would be removed first"},
        {"archive", 0, Takes::value, "Add events to this file, one in a line, before they are removed"}},
       &run_store_trim},
      {"store copy",
       "FROM TO",
       "Copy all data to a new store, such as sqlite:/path/to/andon.db or postgres://user@host/database.",
       {},
       &run_store_copy},
  };
}

}  // namespace andon::main
