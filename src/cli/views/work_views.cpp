#include "cli/views/work_views.hpp"

#include <array>
#include <cstdio>

#include "cli/command_line/safe_text.hpp"
#include "cli/command_line/table.hpp"
#include "cli/views/landing_views.hpp"
#include "cli/views/task_views.hpp"
#include "core/runs/landing_gate.hpp"

namespace andon::cli {
namespace {

/// `1.5 GiB`.
std::string size_text(std::int64_t bytes) {
  constexpr std::array<char const*, 5> kSizes{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kSizes.size(); ++unit) value /= 1024;
  std::array<char, 32> text{};
  auto const n =
      std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", value, kSizes[unit]);
  return {text.data(), static_cast<std::size_t>(n)};
}

std::string tree_state(service::WorkTree const& tree) {
  auto out = std::string{service::kWorkStateNames[static_cast<std::size_t>(tree.state)]};
  if (tree.dirty) out += ", dirty";
  if (tree.unlanded > 0) out += ", " + std::to_string(tree.unlanded) + " to land";
  return out;
}

std::string tree_line(service::WorkTree const& tree) {
  return one_line("#" + std::to_string(tree.task) + " " + tree.board + " " + tree.branch + " [" +
                  tree_state(tree) + "] " + size_text(tree.bytes) +
                  (tree.reason.empty() ? "" : " " + tree.reason)) +
         "\n";
}

/// The colour of a line of a diff, as git has it.
std::string_view diff_colour(std::string_view line) {
  if (line.starts_with("+++") || line.starts_with("---") || line.starts_with("diff ")) return "1";
  if (line.starts_with('+')) return "32";
  if (line.starts_with('-')) return "31";
  return line.starts_with("@@") ? "36" : "";
}

std::string painted_diff(std::string_view text, Screen const& screen) {
  std::string out;
  while (!text.empty()) {
    auto const line = text.substr(0, text.find('\n'));
    auto const colour = diff_colour(line);
    auto const safe = many_lines(line);
    out += (colour.empty() ? safe : screen.painted(safe, colour)) + "\n";
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return out;
}

/// The text as one word of a POSIX shell.
std::string shell_word(std::string_view text) {
  std::string out = "'";
  for (char const c : text) out += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return out + "'";
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    auto const end = std::min(text.find('\n'), text.size());
    if (end > 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// A place of the landing queue; behind a question the commands that answer it.
std::string queued_lines(service::QueuedWork const& queued) {
  auto const number = std::to_string(queued.task);
  auto out = one_line((queued.asked ? "Asks whether it lands: #" : "Waits to be landed: #") + number + " " +
                      queued.title + " (" + queued.branch + ", since " + minute_of(queued.since) + ")" +
                      (queued.reason.empty() || queued.asked ? "" : ": " + queued.reason)) +
             "\n";
  if (!queued.asked) return out;
  return out + finding_rows(queued.findings) + "  look: andon diff " + number + "\n" +
         answers_to(queued.findings, queued.task);
}

std::string plural(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string{what} + (count == 1 ? "" : "s");
}

}  // namespace

std::string diff_page(service::RunDiff const& diff, Screen const& screen) {
  std::int64_t added = 0;
  std::int64_t removed = 0;
  std::string files;
  for (auto const& file : diff.files) {
    added += file.added;
    removed += file.removed;
    files +=
        one_line("  " + (file.from.empty() ? "" : file.from + " → ") + file.path +
                 (file.binary ? " (binary)"
                              : " +" + std::to_string(file.added) + " -" + std::to_string(file.removed))) +
        "\n";
  }
  auto out = one_line("Run " + std::to_string(diff.run) + " of #" + std::to_string(diff.task) + " on " +
                      diff.branch + ": " + plural(diff.commits.size(), "commit") +
                      (diff.files.empty() ? ""
                                          : ", " + plural(diff.files.size(), "file") + ", +" +
                                                std::to_string(added) + " -" + std::to_string(removed))) +
             "\n" + files;
  if (diff.truncated) out += "  (there is more than is shown)\n";
  for (auto const& left : diff.left_out)
    out += screen.painted(one_line("  left out: " + left.path + " (" + left.reason + ")"), "31") + "\n";
  if (auto const more = diff.left_out_count - static_cast<std::int64_t>(diff.left_out.size()); more > 0)
    out += "  and " + std::to_string(more) + " more left out\n";
  for (auto const& remark : diff.remarks) out += one_line("  " + remark) + "\n";
  if (!diff.findings.empty())
    out += "Asks whether it lands:\n" + finding_rows(diff.findings) + answers_to(diff.findings, diff.task);
  return screen.is_compact() ? out : out + "\n" + painted_diff(diff.diff, screen);
}

std::string work_page(service::WorkList const& work, Screen const& screen) {
  std::string lines;
  Table trees({{"TASK", 0, 0},
               {"BOARD", 0, 0},
               {"BRANCH", 0, 48},
               {"STATE", 0, 0},
               {"SIZE", 0, 0},
               {"TITLE", 0, 40}});
  for (auto const& tree : work.trees) {
    trees.add({"#" + std::to_string(tree.task), tree.board, tree.branch, tree_state(tree),
               size_text(tree.bytes), tree.title});
    lines += tree_line(tree);
  }
  auto out = screen.is_compact() ? lines : work.trees.empty() ? std::string{} : trees.text();
  out += "Work trees take " + size_text(work.bytes) + " of " + size_text(work.limit) + ".\n";
  for (auto const& kept : work.kept)
    out += one_line("#" + std::to_string(kept.task) + " of " + kept.board + ": " + kept.branch + " keeps " +
                    plural(static_cast<std::size_t>(kept.unlanded), "commit") +
                    " without a work tree; go on with: andon work open " + std::to_string(kept.task)) +
           "\n";
  for (auto const& queued : work.queue) out += queued_lines(queued);
  return out;
}

std::string opened_page(service::OpenedWork const& work, Screen const&) {
  std::string out = "cd " + shell_word(work.directory) + "\n";
  for (auto const& [name, value] : work.environment) out += "export " + name + "=" + shell_word(value) + "\n";
  out += one_line("# #" + std::to_string(work.task) + " " + work.title +
                  (work.branch.empty() ? "" : " on " + work.branch)) +
         "\n";
  if (!work.remark.empty()) out += one_line("# " + work.remark) + "\n";
  if (!work.preview) return out;
  bool const runs = work.preview->state == service::PreviewState::running;
  out += one_line("# The preview " + std::string{runs ? "is at " + work.preview->url : "has ended."}) + "\n";
  for (auto const& line : lines_of(work.preview->output)) out += one_line("#   " + line) + "\n";
  return out;
}

std::string cleaned_page(service::WorkCleaned const& cleaned, Screen const&) {
  std::string out;
  for (auto const& tree : cleaned.removed) out += "removed " + tree_line(tree);
  for (auto const& tree : cleaned.kept) out += "kept " + tree_line(tree);
  return out + "Freed " + size_text(cleaned.freed) + ".\n";
}

}  // namespace andon::cli
