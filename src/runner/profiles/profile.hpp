#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "core/error.hpp"
#include "runner/output/output_rules.hpp"

namespace andon::runner {

/// Signs of a sign-in to the program; one is enough. No sign needs a call of a model.
struct SignIn {
  std::vector<std::string> env;    ///< a variable that is set
  std::vector<std::string> files;  ///< a file that exists; `~` is the home directory
  std::string file_holds;          ///< an expression that such a file must also match
  std::vector<std::string>
      status_argv;  ///< a command of the program that succeeds when signed in; not run when empty
  std::string how;  ///< how a person signs in
};
void describe(auto& field, SignIn const*) {
  field(&SignIn::env, "env");
  field(&SignIn::files, "files");
  field(&SignIn::file_holds, "file_holds");
  field(&SignIn::status_argv, "status_argv");
  field(&SignIn::how, "how");
}

/// How to find out whether the program is installed and accepts its arguments.
struct Detect {
  std::vector<std::string> command;       ///< candidates; the first item of `argv` when empty
  std::string install;                    ///< how a person installs it
  std::vector<std::string> version_argv;  ///< not run when empty
  std::string version_regex;              ///< its first group is the version
  std::string must_match;  ///< matches the output of `--help`; distinguishes programs with one name
  std::vector<std::vector<std::string>> help_argv;  ///< the commands that list its flags; `--help` when empty
  std::vector<std::string> hidden_flags;            ///< accepted although no help lists them
  std::string understood;  ///< an expression for the refusal of an empty prompt, which `examine` tries
  SignIn sign_in;
};
void describe(auto& field, Detect const*) {
  field(&Detect::command, "command");
  field(&Detect::install, "install");
  field(&Detect::version_argv, "version_argv");
  field(&Detect::version_regex, "version_regex");
  field(&Detect::must_match, "must_match");
  field(&Detect::help_argv, "help_argv");
  field(&Detect::hidden_flags, "hidden_flags");
  field(&Detect::understood, "understood");
  field(&Detect::sign_in, "sign_in");
}

enum class PromptVia { stdin_, arg, file };
inline constexpr std::array<std::string_view, 3> kPromptViaNames{"stdin", "arg", "file"};
constexpr auto const& wire_names(PromptVia) { return kPromptViaNames; }

/// The place of the role document: an argument `{role}`, before the prompt, a file `{file.role}`, or nowhere.
enum class RoleVia { flag, prepend, file, none };
inline constexpr std::array<std::string_view, 4> kRoleViaNames{"flag", "prepend", "file", "none"};
constexpr auto const& wire_names(RoleVia) { return kRoleViaNames; }

/// The longest single argument that the kernel accepts, in bytes.
inline constexpr std::int64_t kLongestArgument = 131'071;

struct PromptRule {
  PromptVia via = PromptVia::stdin_;
  RoleVia role = RoleVia::prepend;
  std::int64_t max_arg_bytes = kLongestArgument;
  std::vector<std::string> words_only{};  ///< levels at which its own sandbox keeps it from the board
};
void describe(auto& field, PromptRule const*) {
  field(&PromptRule::via, "via");
  field(&PromptRule::role, "role");
  field(&PromptRule::max_arg_bytes, "max_arg_bytes");
  field(&PromptRule::words_only, "words_only");
}

enum class FileFormat { text, json };
inline constexpr std::array<std::string_view, 2> kFileFormatNames{"text", "json"};
constexpr auto const& wire_names(FileFormat) { return kFileFormatNames; }

/// A file written into the run directory before the program starts.
struct FileTemplate {
  std::string path;
  std::string if_;  ///< only when this variable has a value; always when empty
  FileFormat format = FileFormat::text;
  boost::json::value template_;
};
void describe(auto& field, FileTemplate const*) {
  field(&FileTemplate::path, "path");
  field(&FileTemplate::if_, "if");
  field(&FileTemplate::format, "format");
  field(&FileTemplate::template_, "template");
}

enum class McpKind { none, file, argv, env, home };
inline constexpr std::array<std::string_view, 5> kMcpKindNames{"none", "file", "argv", "env", "home"};
constexpr auto const& wire_names(McpKind) { return kMcpKindNames; }

/// How a program is told of the MCP server of its run.
struct McpRule {
  McpKind kind = McpKind::none;
  boost::json::value template_;  ///< of the file `{file.mcp}`
  bool required = false;
  bool pass = true;  ///< whether it is told of it; `"mcp": true` of a profile sets this alone
  std::vector<std::string> pass_at{};  ///< levels at which it is told of it in any case

  /// Whether the program is told of the server when its worker has that level.
  bool is_passed_at(std::string_view level) const;
};
void describe(auto& field, McpRule const*) {
  field(&McpRule::kind, "kind");
  field(&McpRule::template_, "template");
  field(&McpRule::required, "required");
  field(&McpRule::pass, "pass");
  field(&McpRule::pass_at, "pass_at");
}

/// In seconds; 0 means no limit.
struct Timeouts {
  std::int64_t first_event_s = 0;
  std::int64_t silence_s = 0;
  std::int64_t total_s = 0;
  std::int64_t exit_s = 60;  ///< from the agent's report to its end
};
void describe(auto& field, Timeouts const*) {
  field(&Timeouts::first_event_s, "first_event_s");
  field(&Timeouts::silence_s, "silence_s");
  field(&Timeouts::total_s, "total_s");
  field(&Timeouts::exit_s, "exit_s");
}

/// Whether the kernel restricts an agent to the directories that it needs. `automatic` is `on` where the
/// kernel can do it, and `off` elsewhere.
enum class Sandbox { off, on, automatic };
inline constexpr std::array<std::string_view, 3> kSandboxNames{"off", "on", "auto"};
constexpr auto const& wire_names(Sandbox) { return kSandboxNames; }

/// The terminals of an agent in its sandbox: none, or its own where the kernel can make them.
enum class Terminals { off, automatic };
inline constexpr std::array<std::string_view, 2> kTerminalsNames{"off", "auto"};
constexpr auto const& wire_names(Terminals) { return kTerminalsNames; }

/// How to run one program that works on tasks. A profile belongs to the administrator, never to a task or a
/// board.
struct Profile {
  std::int64_t schema = 0;
  std::string id;
  std::string title;
  std::string extends;
  Detect detect;
  std::vector<boost::json::value> argv;  ///< a text, {"if","then","else"} or {"each","then"}
  std::vector<boost::json::value> resume_argv;
  std::map<std::string, boost::json::value> env;  ///< a text, or {"json":…} written as one line
  std::vector<std::string> env_unset;
  std::vector<std::string> env_pass;  ///< variables of the server to pass besides the usual ones
  PromptRule prompt;
  std::vector<FileTemplate> files;
  McpRule mcp;
  /// Arguments to add, by level. A profile with levels runs no worker whose level it lacks.
  std::map<std::string, std::vector<boost::json::value>> permissions;
  Output output;
  UsageRule usage;
  std::map<std::string, ExitClass> exit;
  std::vector<std::vector<boost::json::value>> stop;  ///< [["INT",3],…]: signal and seconds to wait
  Timeouts timeouts;
  std::vector<FatalRule> fatal;
  std::vector<FailureRule> failures;  ///< the first match counts
  Sandbox sandbox = Sandbox::off;
  Terminals terminals = Terminals::automatic;
  /// The program's own configuration, open in a sandbox: a path, `~/PATH` in the home directory, or `$NAME`,
  /// a variable of the agent that may be unset. A path that ends in `/` is made when it is missing.
  std::vector<std::string> folders;
};
void describe(auto& field, Profile const*) {
  field(&Profile::schema, "schema");
  field(&Profile::id, "id");
  field(&Profile::title, "title");
  field(&Profile::extends, "extends");
  field(&Profile::detect, "detect");
  field(&Profile::argv, "argv");
  field(&Profile::resume_argv, "resume_argv");
  field(&Profile::env, "env");
  field(&Profile::env_unset, "env_unset");
  field(&Profile::env_pass, "env_pass");
  field(&Profile::prompt, "prompt");
  field(&Profile::files, "files");
  field(&Profile::mcp, "mcp");
  field(&Profile::permissions, "permissions");
  field(&Profile::output, "output");
  field(&Profile::usage, "usage");
  field(&Profile::exit, "exit");
  field(&Profile::stop, "stop");
  field(&Profile::timeouts, "timeouts");
  field(&Profile::fatal, "fatal");
  field(&Profile::failures, "failures");
  field(&Profile::sandbox, "sandbox");
  field(&Profile::terminals, "terminals");
  field(&Profile::folders, "folders");
}

/// Reads and checks a profile after `merged` with its base. The error's field is the path of the fault.
core::Result<Profile> read_profile(boost::json::value const& json);

/// A profile on top of its base. Objects are merged, where null removes a member. The child's rules come
/// before the base's rules. Every other member of the child replaces the base's.
boost::json::object merged(boost::json::object base, boost::json::object const& child);

/// A signal, and the wait before the next one.
struct StopStep {
  int signal = 0;
  std::chrono::milliseconds wait{};
};
/// The steps of a profile. Without steps: INT and 3 s, TERM and 5 s, then KILL.
core::Result<std::vector<StopStep>> stop_steps(std::vector<std::vector<boost::json::value>> const& stop);

}  // namespace andon::runner
