#include "runner/profiles/ask_program.hpp"

#include <cstddef>

#include "os/processes/program.hpp"
#include "runner/profiles/agent_environment.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kMostAnswer = 256U << 10U;

/// The profile's own variables that need no run, such as those against self-updates.
Environment fixed_variables(Profile const& profile) {
  Environment fixed;
  for (auto const& [name, form] : profile.env)
    if (auto const* text = form.if_string(); text && text->find('{') == boost::json::string::npos)
      fixed.emplace_back(name, std::string{text->data(), text->size()});
  return fixed;
}

}  // namespace

os::Captured ask_program(Profile const& profile, std::string const& program,
                         std::vector<std::string> const& arguments, AskLimit limit) {
  os::Command command{
      .program = program,
      .argv = {program},
      .env = agent_environment(profile, os::own_environment(), fixed_variables(profile), {}, {})};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  return os::capture(std::move(command), {.time = limit.time, .bytes = kMostAnswer, .stop = limit.stop});
}

}  // namespace andon::runner
