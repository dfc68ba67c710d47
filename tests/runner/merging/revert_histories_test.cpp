// Random histories of small texts: tasks land one after the other, and one of them is taken back. The files
// must be those that the other tasks alone make, or the revert is refused with the names of those that stand
// in the way. What the tasks make is told by lines that keep their identity, not by git.
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "os/files/file.hpp"
#include "runner/merging/revert_work.hpp"
#include "runner/worktrees/git_place.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;

namespace {

/// The whole proof is `ANDON_REVERT_HISTORIES=500`.
constexpr int kUsualHistories = 60;

int wanted_histories() {
  auto const* given = std::getenv("ANDON_REVERT_HISTORIES");
  return given ? std::atoi(given) : kUsualHistories;
}

struct Line {
  int id;
  std::string text;
};
struct TextFile {
  std::string name;
  std::vector<Line> lines;
};
/// The files by their identity, which a new name does not change.
using Texts = std::map<int, TextFile>;

enum class Act { replace, insert, remove, add_file, remove_file, rename };
struct Edit {
  Act act;
  int file = 0;
  int line = 0;  ///< 0 stands before the first line
  int made = 0;
  std::string text{};
  std::string name{};
  std::vector<Line> lines{};
};
using Task = std::vector<Edit>;

/// False when the edit has no meaning here: what it is about is not there.
bool carry_out(Edit const& edit, Texts& texts) {
  auto const has_name = [&](auto const& entry) { return entry.second.name == edit.name; };
  if (edit.act == Act::add_file) {
    if (std::ranges::any_of(texts, has_name)) return false;
    texts[edit.file] = {edit.name, edit.lines};
    return true;
  }
  auto const found = texts.find(edit.file);
  if (found == texts.end()) return edit.act == Act::remove_file || edit.act == Act::remove;
  auto& lines = found->second.lines;
  auto const line = std::ranges::find(lines, edit.line, &Line::id);
  switch (edit.act) {
    case Act::remove_file: texts.erase(found); return true;
    case Act::rename:
      if (std::ranges::any_of(texts, has_name)) return false;
      found->second.name = edit.name;
      return true;
    case Act::remove:
      if (line != lines.end()) lines.erase(line);
      return true;
    case Act::replace:
      if (line == lines.end()) return false;
      line->text = edit.text;
      return true;
    default: break;
  }
  if (edit.line != 0 && line == lines.end()) return false;
  lines.insert(edit.line == 0 ? lines.begin() : line + 1, Line{edit.made, edit.text});
  return true;
}

std::map<std::string, std::string> contents(Texts const& texts) {
  std::map<std::string, std::string> out;
  for (auto const& [id, file] : texts) {
    auto& text = out[file.name];
    for (auto const& line : file.lines) text += line.text + "\n";
  }
  return out;
}

class Author {
 public:
  explicit Author(unsigned seed) : random_(seed) {}

  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
  Texts begin() {
    Texts out;
    for (int i = 0; i < 3; ++i) out[++files_] = {"file" + std::to_string(i), some_lines(5 + below(10))};
    return out;
  }
  Task write(Texts& now) {
    Task out;
    for (int i = 1 + below(3); i > 0; --i) {
      auto edit = think(now);
      if (edit && carry_out(*edit, now)) out.push_back(*std::move(edit));
    }
    return out;
  }

 private:
  /// Some lines are alike, as in programs.
  std::string some_text() { return below(8) == 0 ? "}" : "line " + std::to_string(below(1'000'000)); }
  std::vector<Line> some_lines(int count) {
    std::vector<Line> out;
    for (int i = 0; i < count; ++i) out.push_back({++lines_, some_text()});
    return out;
  }
  std::optional<Edit> think(Texts const& now) {
    auto const what = below(20);
    Edit edit{};
    if (what == 0 || now.empty()) {
      edit.act = Act::add_file;
      edit.file = ++files_;
      edit.name = "file" + std::to_string(below(12));
      edit.lines = some_lines(1 + below(6));
      return edit;
    }
    auto file = now.begin();
    std::advance(file, below(static_cast<int>(now.size())));
    edit.file = file->first;
    if (what == 1) return edit.act = Act::remove_file, edit;
    if (what == 2) {
      edit.act = Act::rename;
      edit.name = "name" + std::to_string(below(12));
      return edit;
    }
    auto const& lines = file->second.lines;
    auto const place = lines.empty() ? 0 : below(static_cast<int>(lines.size()));
    edit.line = lines.empty() ? 0 : lines[static_cast<std::size_t>(place)].id;
    if (what < 9 || lines.empty()) {
      edit.act = Act::insert;
      if (below(4) == 0) edit.line = 0;
      edit.made = ++lines_;
      edit.text = some_text();
      return edit;
    }
    if (what < 12) return edit.act = Act::remove, edit;
    edit.act = Act::replace;
    auto& before = texts_before_[edit.line];
    before.push_back(lines[static_cast<std::size_t>(place)].text);
    // People also undo what was done.
    edit.text = below(4) == 0 ? before[static_cast<std::size_t>(below(static_cast<int>(before.size())))]
                              : some_text();
    if (edit.text == before.back()) return std::nullopt;
    return edit;
  }

  std::mt19937 random_;
  int files_ = 0;
  int lines_ = 0;
  std::map<int, std::vector<std::string>> texts_before_;
};

struct History {
  std::vector<std::map<std::string, std::string>> states;  ///< before the first task, and after each
  std::vector<core::TaskId> tasks;                         ///< by landing; the one taken back may land twice
  core::TaskId taken_back = 0;
  std::optional<std::map<std::string, std::string>> without;  ///< nothing when others need what it made

  bool is_own(std::size_t landing) const { return tasks[landing] == taken_back; }
};

History make_history(unsigned seed) {
  Author author{seed};
  History out;
  auto const first = author.begin();
  auto now = first;
  out.states.push_back(contents(now));
  std::vector<Task> done;
  for (int i = 2 + author.below(4); i > 0;) {
    auto task = author.write(now);
    auto state = contents(now);
    if (state == out.states.back()) continue;
    done.push_back(std::move(task));
    out.states.push_back(std::move(state));
    out.tasks.emplace_back(std::ssize(done));
    --i;
  }
  auto const chosen = static_cast<std::size_t>(author.below(static_cast<int>(done.size())));
  out.taken_back = out.tasks[chosen];
  if (author.below(6) == 0) out.tasks.back() = out.taken_back;
  auto texts = first;
  bool has_meaning = true;
  for (std::size_t i = 0; i < done.size(); ++i)
    if (!out.is_own(i))
      for (auto const& edit : done[i]) has_meaning = carry_out(edit, texts) && has_meaning;
  if (has_meaning) out.without = contents(texts);
  return out;
}

/// One commit for `git fast-import`.
void write_commit(std::ostream& out, std::string const& ref, int mark, int parent,
                  std::map<std::string, std::string> const& files) {
  out << "commit " << ref << "\nmark :" << mark << "\ncommitter ann <ann@example.org> 0 +0000\ndata 1\nx\n";
  if (parent != 0) out << "from :" << parent << "\n";
  out << "deleteall\n";
  for (auto const& [name, text] : files)
    out << "M 100644 inline " << name << "\ndata " << text.size() << "\n" << text << "\n";
}

/// All histories in one repository; commits by mark.
class Histories {
 public:
  explicit Histories(unsigned seed) {
    std::ofstream out{place_.scratch / "import"};
    int mark = 0;
    for (int i = 0; i < wanted_histories(); ++i) {
      auto history = make_history(seed + static_cast<unsigned>(i));
      first_marks_.push_back(mark + 1);
      int parent = 0;
      for (auto const& state : history.states) {
        write_commit(out, "refs/heads/h" + std::to_string(i), mark + 1, parent, state);
        parent = ++mark;
      }
      write_commit(out, "refs/heads/w" + std::to_string(i), mark + 1, 0,
                   history.without.value_or(history.states[0]));
      ++mark;
      all_.push_back(std::move(history));
    }
    out.close();
    at(place_.repo,
       "git fast-import --quiet --export-marks=../marks <../import; "
       "git log --no-walk --format='%H %T' $(cut -d' ' -f2 ../marks) >../trees");
    std::ifstream marks{place_.scratch / "marks"};
    std::string number, id, tree;
    commits_.resize(static_cast<std::size_t>(mark) + 1);
    while (marks >> number >> id) commits_[std::stoul(number.substr(1))] = id;
    std::ifstream trees{place_.scratch / "trees"};
    while (trees >> id >> tree) trees_[id] = tree;
  }

  void take_back_each() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      CAPTURE(i);
      take_back_one(i);
    }
    MESSAGE(accepted_, " accepted, ", gone_, " had nothing left, ", refused_, " refused, of these ", needed_,
            " where others need it");
    CHECK(accepted_ > std::ssize(all_) / 5);
    CHECK(refused_ > std::ssize(all_) / 5);
  }

 private:
  std::string const& commit(std::size_t history, std::size_t state) const {
    return commits_[static_cast<std::size_t>(first_marks_[history]) + state];
  }
  core::Landing landing_of(std::size_t history, std::size_t landing) const {
    core::Landing out;
    out.state = core::LandingState::landed;
    out.onto = commit(history, landing);
    out.commit = commit(history, landing + 1);
    return out;
  }

  void take_back_one(std::size_t i) {
    auto const& history = all_[i];
    service::LandingPlace place;
    service::LandedWorks known;
    place.task.id = history.taken_back;
    place.run.revert.emplace();
    for (std::size_t landing = history.tasks.size(); landing-- > 0;) {
      auto const landed = landing_of(i, landing);
      known.items.push_back({history.tasks[landing], "T" + std::to_string(history.tasks[landing]), landed});
      if (history.is_own(landing)) place.take_back.push_back(landed);
    }
    Repository const repository{*git_, "h" + std::to_string(i), commit(i, history.tasks.size())};
    check(i, take_back(place, known, tree_, repository));
  }

  void check(std::size_t i, MergeTree::Joined const& joined) {
    auto const& history = all_[i];
    INFO(joined.conflict);
    REQUIRE(joined.trouble == "");
    if (joined.commit.empty()) return check_names(history, joined);
    auto const tree = trees_.find(joined.commit);
    bool const is_gone = tree != trees_.end();
    auto const made = is_gone ? tree->second : *git_->text({"rev-parse", joined.commit + "^{tree}"});
    ++(is_gone ? gone_ : accepted_);
    REQUIRE(history.without);
    CHECK(made == trees_.at(commit(i, history.states.size())));
  }

  /// Exactly those are named that changed a file in conflict after it.
  void check_names(History const& history, MergeTree::Joined const& joined) {
    ++refused_;
    needed_ += history.without ? 0 : 1;
    REQUIRE_FALSE(joined.files.empty());
    std::set<core::TaskId> expected;
    bool is_later = false;
    for (std::size_t landing = 0; landing < history.tasks.size(); ++landing) {
      is_later = is_later || history.is_own(landing);
      if (!is_later || history.is_own(landing)) continue;
      for (auto const& file : joined.files)
        if (text_in(history.states[landing], file) != text_in(history.states[landing + 1], file))
          expected.insert(history.tasks[landing]);
    }
    CHECK_FALSE(expected.empty());
    for (auto const id : history.tasks) {
      bool const is_named = joined.conflict.find("#" + std::to_string(id) + " ") != std::string::npos;
      CAPTURE(id);
      CHECK(is_named == expected.contains(id));
    }
  }
  static std::optional<std::string> text_in(std::map<std::string, std::string> const& state,
                                            std::string const& file) {
    auto const found = state.find(file);
    return found == state.end() ? std::nullopt : std::optional{found->second};
  }

  test::GitPlace place_;
  std::vector<History> all_;
  std::vector<int> first_marks_;
  std::vector<std::string> commits_;
  std::map<std::string, std::string> trees_;
  std::expected<Git, std::string> git_ = open_git(place_.repo);
  std::optional<core::WorkPlace> record_;
  MergeTree tree_{place_.work, record_};
  int accepted_ = 0;
  int gone_ = 0;
  int refused_ = 0;
  int needed_ = 0;
};

}  // namespace

TEST_CASE("RevertHistories.AreThoseWithoutTheTaskOrRefusedWithTheRightNames") {
  auto const* given = std::getenv("ANDON_REVERT_SEED");
  auto const seed = given ? static_cast<unsigned>(std::stoul(given)) : 1U;
  CAPTURE(seed);
  Histories{seed}.take_back_each();
}
