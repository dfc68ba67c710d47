// A commit comes out of an untrusted repository in four steps:
//
//   1. count   how many objects `commit` has that the known commits do not have
//   2. pack    those objects into one file of bounded size, by git in the untrusted repository
//   3. index   the pack by git in the own repository, into the folder `incoming`: git names each object after
//              its content, checks its form (fsck), and that all objects that it refers to are in the pack or
//              in the own repository; it refuses another content for a known name
//   4. accept  move pack and index to the own objects, the index last: git does not see a pack without one
//
// A process that is killed leaves files in `incoming`, which the next fetch removes.

#include "runner/worktrees/fetched_commit.hpp"

#include <charconv>
#include <csignal>
#include <fcntl.h>

#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

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

/// A sentence when there are too many objects, or git cannot count them.
std::string why_too_many(CommitFetch const& fetch) {
  std::vector<std::string> count{"rev-list", "--objects", "--count"};
  for (auto const& each : range_of(fetch)) count.push_back(each);
  auto const counted = fetch.from.run(count);
  if (!counted.good) return unreadable(fetch, counted.complaint);
  std::int64_t objects = 0;
  std::from_chars(counted.out.data(), counted.out.data() + counted.out.size(), objects);
  if (objects > fetch.limits.objects)
    return too_much(fetch, std::to_string(fetch.limits.objects) + " objects");
  return {};
}

/// Opens a file for the standard input of git.
os::Descriptor open_input(fs::path const& file) {
  os::Descriptor input{::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
  if (!input) os::fail("open", file.native());
  return input;
}

struct Pack {
  fs::path file;
  std::string trouble;
};

Pack pack(CommitFetch const& fetch) {
  auto use = fetch.from.use();
  use.file_bytes = fetch.limits.bytes;
  std::string range;
  for (auto const& each : range_of(fetch)) range += each + "\n";
  os::write_passing_file(fetch.incoming / "range", range);
  auto const input = open_input(fetch.incoming / "range");
  auto const packed = Git{fetch.from.place(), use}
                          .changing(fetch.incoming)
                          .run({"pack-objects", "--quiet", "--revs", "--delta-base-offset",
                                (fetch.incoming / "taken").native()},
                               {}, input.get());
  if (packed.signal == SIGXFSZ)
    return {{}, too_much(fetch, std::to_string(fetch.limits.bytes >> 20U) + " MiB")};
  if (!packed.good) return {{}, unreadable(fetch, packed.complaint)};
  auto const name = packed.out.substr(0, packed.out.find('\n'));
  return {fetch.incoming / ("taken-" + name + ".pack"), {}};
}

/// The git of the own repository, which writes new objects into `incoming`.
GitAnswer run_aside(CommitFetch const& fetch, std::vector<std::string> const& arguments, int input = -1) {
  auto const objects = fetch.incoming / "objects";
  return fetch.to.changing(fetch.incoming)
      .run(arguments,
           {{"GIT_OBJECT_DIRECTORY", objects.native()},
            {"GIT_ALTERNATE_OBJECT_DIRECTORIES", objects_of(fetch.to).native()}},
           input);
}

std::string index(CommitFetch const& fetch, fs::path const& file) {
  fs::create_directories(fetch.incoming / "objects" / "pack");
  auto const input = open_input(file);
  auto const indexed = run_aside(fetch, {"index-pack", "--stdin", "--strict", "--fsck-objects"}, input.get());
  if (!indexed.good) return unreadable(fetch, indexed.complaint);
  auto const found = run_aside(fetch, {"cat-file", "-t", fetch.commit});
  return found.out == "commit\n" ? std::string{} : unreadable(fetch, "it is no commit");
}

void accept(CommitFetch const& fetch) {
  auto const packs = objects_of(fetch.to) / "pack";
  fs::create_directories(packs);
  for (bool const is_last : {false, true})
    for (auto const& entry : fs::directory_iterator{fetch.incoming / "objects" / "pack"})
      if ((entry.path().extension() == ".idx") == is_last)
        fs::rename(entry.path(), packs / entry.path().filename());
}

}  // namespace

std::string fetch_commit(CommitFetch const& fetch) try {
  if (!is_commit_id(fetch.commit)) return unreadable(fetch, "its name is no commit");
  std::error_code ignored;
  fs::remove_all(fetch.incoming, ignored);
  os::make_private_directory(fetch.incoming);
  auto trouble = why_too_many(fetch);
  if (trouble.empty()) {
    auto const packed = pack(fetch);
    trouble = packed.trouble.empty() ? index(fetch, packed.file) : packed.trouble;
  }
  if (trouble.empty()) accept(fetch);
  fs::remove_all(fetch.incoming, ignored);
  return trouble;
} catch (os::SystemError const& error) {
  return unreadable(fetch, error.what());
} catch (fs::filesystem_error const& error) {
  return unreadable(fetch, error.what());
}

}  // namespace andon::runner
