// A commit comes out of an untrusted repository in four steps:
//
//   1. count   how many objects `commit` has that the known commits do not have
//   2. pack    those objects into one file of bounded size in `incoming`, by git in the untrusted repository
//   3. index   the pack by git in the own repository, into the folder `incoming`: git names each object after
//              its content, checks its form (fsck), and that all objects that it refers to are in the pack or
//              in the own repository; it refuses another content for a known name
//   4. accept  move pack and index to the own objects, the index last: git does not see a pack without one
//
// Nothing is written outside `incoming` before the last step. Git has written pack and index to the disk
// then. A process that is killed leaves files in `incoming`, which the next fetch removes.

#include "runner/objects/fetched_commit.hpp"

#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <optional>

#include "os/files/file.hpp"
#include "os/random.hpp"
#include "os/system_error.hpp"
#include "runner/git/questions.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAttemptBytes = 8;

std::string unreadable(CommitFetch const& fetch, std::string const& why) {
  return "the commit " + fetch.commit + " in " + fetch.from.place().directory +
         " cannot be taken over: " + shown_reason(why);
}

std::string too_much(CommitFetch const& fetch, std::string const& what) {
  return unreadable(fetch, "it brings more than " + what + "; keep large files out of the repository");
}

fs::path objects_of(Git const& git) { return fs::path{git.place().common_directory} / "objects"; }

std::vector<std::string> range_of(CommitFetch const& fetch) {
  std::vector<std::string> out{fetch.commit};
  for (auto const& known : fetch.known)
    if (is_commit_id(known)) out.push_back("^" + known);
  return out;
}

/// The number on the only line of a text.
std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t out = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  bool const is_whole = error == std::errc{} && std::string_view{end, text.data() + text.size()} == "\n";
  return is_whole ? std::optional{out} : std::nullopt;
}

/// A sentence when there are too many objects, or git cannot count them.
std::string why_too_many(CommitFetch const& fetch) {
  std::vector<std::string> count{"rev-list", "--objects", "--count"};
  for (auto const& each : range_of(fetch)) count.push_back(each);
  auto const counted = fetch.from.run(count);
  if (!counted.good) return unreadable(fetch, counted.complaint);
  auto const objects = number_in(counted.out);
  if (!objects) return unreadable(fetch, "git does not count its objects");
  if (*objects > fetch.limits.objects)
    return too_much(fetch, std::to_string(fetch.limits.objects) + " objects");
  return {};
}

/// Opens a file for the standard input of git.
os::Descriptor open_input(fs::path const& file) {
  os::Descriptor input{::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
  if (!input) os::fail("open", file.native());
  return input;
}

/// The folder of a fetch, which is gone when it ends. Each attempt has one of its own in it, since the git of
/// an attempt that was killed may still be at work.
class Incoming {
 public:
  explicit Incoming(fs::path folder)
      : folder_(std::move(folder)), attempt_(folder_ / os::random_hex(kAttemptBytes)) {
    fs::remove_all(folder_);
    for (auto const* objects : {"packing/pack", "objects/pack"})
      os::make_private_directory(attempt_ / objects);
  }
  Incoming(Incoming const&) = delete;
  Incoming& operator=(Incoming const&) = delete;
  ~Incoming() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  fs::path range() const { return attempt_ / "range"; }
  /// The beginning of the name of the pack that is not checked.
  fs::path unchecked() const { return attempt_ / "taken"; }
  /// The object directories into which git puts that pack first, and the checked one.
  fs::path packing() const { return attempt_ / "packing"; }
  fs::path objects() const { return attempt_ / "objects"; }

 private:
  fs::path folder_;
  fs::path attempt_;
};

struct Pack {
  fs::path file;
  std::string trouble;
};

Pack pack(CommitFetch const& fetch, Incoming const& incoming) {
  auto use = fetch.from.use();
  use.file_bytes = fetch.limits.bytes;
  std::string range;
  for (auto const& each : range_of(fetch)) range += each + "\n";
  os::write_passing_file(incoming.range(), range);
  auto const input = open_input(incoming.range());
  auto const packed =
      Git{fetch.from.place(), use}
          .adding_objects_to(incoming.packing())
          .run({"pack-objects", "--quiet", "--revs", "--delta-base-offset", incoming.unchecked().native()},
               {}, input.get());
  if (packed.signal == SIGXFSZ)
    return {{}, too_much(fetch, std::to_string(fetch.limits.bytes >> 20U) + " MiB")};
  if (!packed.good) return {{}, unreadable(fetch, packed.complaint)};
  auto const name = packed.out.substr(0, packed.out.find('\n'));
  return {incoming.unchecked().native() + "-" + name + ".pack", {}};
}

std::string index(CommitFetch const& fetch, Incoming const& incoming, fs::path const& file) {
  auto const git = fetch.to.adding_objects_to(incoming.objects());
  auto const input = open_input(file);
  std::vector<std::string> command{"index-pack", "--stdin", "--strict", "--fsck-objects"};
  if (!fetch.keep.empty()) command.push_back("--keep=" + fetch.keep);
  auto const indexed = git.run(command, {}, input.get());
  if (!indexed.good) return unreadable(fetch, indexed.complaint);
  auto const found = git.run({"cat-file", "-t", fetch.commit});
  if (!found.good) return unreadable(fetch, found.complaint);
  return found.out == "commit\n" ? std::string{} : unreadable(fetch, "it is no commit");
}

/// Moves a file, unless it is there: packs of one name have one content. True when it moved.
bool move_in(fs::path const& file, fs::path const& to) {
  if (fs::is_regular_file(to)) return false;
  fs::rename(file, to);
  return true;
}

/// The mark that keeps a pack goes before it, and its index last.
int turn_of(fs::path const& file) {
  if (file.extension() == ".keep") return 0;
  return file.extension() == ".idx" ? 2 : 1;
}

/// Moves the checked pack to the own objects. None of its files is there when one cannot be moved.
void accept(fs::path const& checked, fs::path const& packs) {
  std::vector<fs::path> moved;
  try {
    os::make_private_directory(packs);
    for (int const turn : {0, 1, 2})
      for (auto const& entry : fs::directory_iterator{checked})
        if (auto to = packs / entry.path().filename(); turn_of(to) == turn)
          if (move_in(entry.path(), to)) moved.push_back(std::move(to));
    os::sync_directory(packs);
  } catch (...) {
    // The index goes first: git does not see a pack without one.
    std::error_code ignored;
    for (; !moved.empty(); moved.pop_back()) fs::remove(moved.back(), ignored);
    throw;
  }
}

}  // namespace

std::string fetch_commit(CommitFetch const& fetch) try {
  if (!is_commit_id(fetch.commit)) return unreadable(fetch, "its name is no commit");
  bool const is_there = fetch.to.text({"cat-file", "-t", fetch.commit}) == "commit";
  if (is_there && fetch.keep.empty()) {
    fs::remove_all(fetch.incoming);  // what a process left that was killed after the last step
    return {};
  }
  Incoming const incoming{fetch.incoming};
  if (auto trouble = why_too_many(fetch); !trouble.empty()) return trouble;
  auto const packed = pack(fetch, incoming);
  if (!packed.trouble.empty()) return packed.trouble;
  if (auto trouble = index(fetch, incoming, packed.file); !trouble.empty()) return trouble;
  accept(incoming.objects() / "pack", objects_of(fetch.to) / "pack");
  return {};
} catch (os::SystemError const& error) {
  return unreadable(fetch, error.what());
} catch (fs::filesystem_error const& error) {
  return unreadable(fetch, error.what());
}

}  // namespace andon::runner
