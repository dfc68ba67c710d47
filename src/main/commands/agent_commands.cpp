#include "main/commands/agent_commands.hpp"

#include <boost/json/parse.hpp>

#include "cli/command_line/invocation.hpp"
#include "main/agent_text.hpp"
#include "main/data_root.hpp"
#include "os/data/data_directory.hpp"
#include "os/processes/process.hpp"
#include "os/processes/program.hpp"
#include "reflect/json.hpp"
#include "runner/profiles/detect.hpp"
#include "runner/profiles/profile_book.hpp"

namespace andon::main {
namespace {

using cli::Invocation;
using core::Code;
using core::Result;

template <class T>
boost::json::value as_json(T const& described) {
  return boost::json::parse(reflect::to_json(described));
}

Result<runner::ProfileBook> open_book(Invocation& in) {
  ANDON_TRY(auto const root, data_root(in));
  return runner::ProfileBook(os::data_directory(root).agents);
}

Result<runner::Profile const*> asked_profile(Invocation& in, runner::ProfileBook const& book) {
  if (in.given().words.size() != 1)
    return core::refuse(Code::kInvalidInput, "say which profile; see: andon agents list", "id");
  auto const& id = in.given().words.front();
  if (auto const* profile = book.find(id)) return profile;
  return core::refuse(Code::kNotFound, book.why_missing(id), "id");
}

boost::json::object view_of(runner::Profile const& profile, runner::Detection const& found) {
  boost::json::object out{{"id", profile.id}, {"title", profile.title}, {"found", found.found}};
  if (!found.version.empty()) out["version"] = found.version;
  if (!found.problem.empty()) out["problem"] = found.problem;
  return out;
}

Result<int> run_list(Invocation& in) {
  ANDON_TRY(auto const book, open_book(in));
  boost::json::array items;
  std::string text;
  for (auto const* profile : book.profiles()) {
    auto const found = runner::detect(*profile, in.env().variable("PATH"));
    items.push_back(view_of(*profile, found));
    text += list_line(*profile, found);
  }
  for (auto const& problem : book.problems()) in.screen().tell(runner::to_text(problem));
  if (in.screen().is_json())
    in.screen().print(items);
  else
    in.screen().print(text);
  return 0;
}

Result<int> run_show(Invocation& in) {
  ANDON_TRY(auto const book, open_book(in));
  ANDON_TRY(auto const* profile, asked_profile(in, book));
  auto const file = book.file_of(profile->id);
  if (!in.screen().is_json()) {
    in.screen().print(profile_text(*profile, file));
    return 0;
  }
  boost::json::object out{{"file", file}};
  auto const content = as_json(*profile);
  for (auto const& [key, value] : content.as_object()) out[key] = value;
  in.screen().print(out);
  return 0;
}

Result<int> run_test(Invocation& in) {
  ANDON_TRY(auto const book, open_book(in));
  ANDON_TRY(auto const* profile, asked_profile(in, book));
  auto found = runner::examine(*profile, os::own_environment());
  if (!found.program.empty()) {
    ANDON_TRY(auto const root, data_root(in));
    found.sandbox = runner::try_sandbox(
        *profile,
        {.program = found.program, .andon_directory = os::own_program().parent_path(), .data = root},
        os::own_environment());
  }
  if (in.screen().is_json())
    in.screen().print(as_json(found));
  else
    in.screen().print(examination_text(found));
  return found.ready ? 0 : 1;
}

}  // namespace

std::vector<cli::NamedCommand> agent_commands() {
  return {
      {"agents list", "", "List the agent profiles and whether their programs are here.", {}, &run_list},
      {"agents show", "ID", "Show what an agent profile starts and how it reads the answer.", {}, &run_show},
      {"agents test",
       "ID",
       "Say whether a worker with this agent profile could start here: program, version, sign-in, flags, "
       "sandbox.",
       {},
       &run_test},
  };
}

}  // namespace andon::main
