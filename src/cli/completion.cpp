#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "cli/invocation.hpp"
#include "cli/named_commands.hpp"

namespace andon::cli {
namespace {

/// A shell word as it stands between single quotes.
std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string{"'\\''"} : std::string(1, c);
  return out + "'";
}

std::string first_word(std::string_view words) { return std::string{words.substr(0, words.find(' '))}; }
std::string second_word(std::string_view words) {
  auto const blank = words.find(' ');
  return blank == std::string_view::npos ? std::string{} : std::string{words.substr(blank + 1)};
}

std::string switches(std::span<Flag const> flags) {
  std::string out;
  for (auto const& flag : flags) out += (out.empty() ? "--" : " --") + flag.name;
  return out;
}

/// The first words of all commands, and what may follow each.
std::map<std::string, std::set<std::string>> word_tree(std::span<Command const> commands) {
  std::map<std::string, std::set<std::string>> out;
  for (auto const& command : commands) {
    auto& seconds = out[first_word(command.words)];
    if (auto second = second_word(command.words); !second.empty()) seconds.insert(std::move(second));
  }
  return out;
}

std::string joined(auto const& words) {
  std::string out;
  for (auto const& word : words) out.append(out.empty() ? "" : " ").append(word);
  return out;
}

/// The body shared by bash and zsh: given the words typed, what may come next.
std::string candidates_function(std::span<Command const> commands, std::string const& name) {
  auto const tree = word_tree(commands);
  std::vector<std::string> firsts;
  for (auto const& [first, seconds] : tree) firsts.push_back(first);
  std::string out = name + "() {\n  case \"$1\" in\n";
  for (auto const& command : commands)
    out += "    " + single_quoted(command.words) + ") echo " + single_quoted(switches(flags_of(command))) +
           " ;;\n";
  for (auto const& [first, seconds] : tree)
    if (!seconds.empty())
      out += "    " + single_quoted(first + " ") + ") echo " + single_quoted(joined(seconds)) + " ;;\n";
  return out + "    '') echo " + single_quoted(joined(firsts)) + " ;;\n  esac\n}\n";
}

std::string bash(std::span<Command const> commands, std::string const& program) {
  auto const function = "_" + program + "_candidates";
  return "# bash completion of " + program + "\n" + candidates_function(commands, function) + "_" + program +
         "() {\n" +
         "  local cur=\"${COMP_WORDS[COMP_CWORD]}\" first=\"${COMP_WORDS[1]}\" second=\"${COMP_WORDS[2]}\" "
         "words\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words=\"$(" +
         function +
         " '')\"\n"
         "  elif [[ \"$cur\" == -* ]]; then\n"
         "    words=\"$(" +
         function + " \"$first\") $(" + function + " \"$first $second\") " + switches(global_flags()) +
         "\"\n"
         "  elif [ \"$COMP_CWORD\" -eq 2 ]; then\n    words=\"$(" +
         function +
         " \"$first \")\"\n  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -o default -F _" +
         program + " " + program + "\n";
}

std::string zsh(std::span<Command const> commands, std::string const& program) {
  auto const function = "_" + program + "_candidates";
  return "#compdef " + program + "\n" + candidates_function(commands, function) + "_" + program + "() {\n" +
         "  local -a found\n"
         "  if (( CURRENT == 2 )); then\n    found=(${(s: :)\"$(" +
         function +
         " '')\"})\n"
         "  elif [[ \"${words[CURRENT]}\" == -* ]]; then\n"
         "    found=(${(s: :)\"$(" +
         function + " \"${words[2]}\") $(" + function + " \"${words[2]} ${words[3]}\") " +
         switches(global_flags()) +
         "\"})\n"
         "  elif (( CURRENT == 3 )); then\n    found=(${(s: :)\"$(" +
         function +
         " \"${words[2]} \")\"})\n  fi\n"
         "  (( $#found )) && compadd -- $found || _files\n}\ncompdef _" +
         program + " " + program + "\n";
}

std::string fish(std::span<Command const> commands, std::string const& program) {
  std::string out = "# fish completion of " + program + "\n";
  auto const complete = "complete -c " + program;
  std::set<std::string> seen;
  for (auto const& command : commands) {
    auto const first = first_word(command.words), second = second_word(command.words);
    if (seen.insert(first).second)
      out += complete + " -f -n __fish_use_subcommand -a " + single_quoted(first) +
             (second.empty() ? " -d " + single_quoted(command.summary) : "") + "\n";
    auto const here = single_quoted("__fish_seen_subcommand_from " + first);
    if (!second.empty())
      out += complete + " -f -n " + here + " -a " + single_quoted(second) + " -d " +
             single_quoted(command.summary) + "\n";
    for (auto const& flag : flags_of(command))
      out += complete + " -n " + here + (flag.shorthand ? std::string{" -s "} + flag.shorthand : "") +
             " -l " + flag.name + (flag.takes == Takes::nothing ? "" : " -r") + " -d " +
             single_quoted(flag.help) + "\n";
  }
  for (auto const& flag : global_flags())
    out += complete + (flag.shorthand ? std::string{" -s "} + flag.shorthand : "") + " -l " + flag.name +
           (flag.takes == Takes::nothing ? "" : " -r") + " -d " + single_quoted(flag.help) + "\n";
  return out;
}

/// A PowerShell word as it stands between single quotes.
std::string ps_quoted(std::string_view text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string{"''"} : std::string(1, c);
  return out + "'";
}

std::string ps_list(auto const& words) {
  std::string out;
  for (auto const& word : words) out.append(out.empty() ? "" : ",").append(ps_quoted(word));
  return "@(" + out + ")";
}

std::vector<std::string> switch_names(std::span<Flag const> flags) {
  std::vector<std::string> out;
  for (auto const& flag : flags) out.push_back("--" + flag.name);
  return out;
}

std::string powershell(std::span<Command const> commands, std::string const& program) {
  std::string out = "# PowerShell completion of " + program +
                    "\nRegister-ArgumentCompleter -Native -CommandName " + ps_quoted(program) +
                    " -ScriptBlock {\n  param($word, $ast, $cursor)\n  $next = @{\n";
  auto const tree = word_tree(commands);
  std::vector<std::string> firsts;
  for (auto const& [first, seconds] : tree) firsts.push_back(first);
  out += "    '' = " + ps_list(firsts) + "\n";
  for (auto const& [first, seconds] : tree)
    if (!seconds.empty()) out += "    " + ps_quoted(first) + " = " + ps_list(seconds) + "\n";
  out += "  }\n  $flags = @{\n";
  for (auto const& command : commands)
    out += "    " + ps_quoted(command.words) + " = " + ps_list(switch_names(flags_of(command))) + "\n";
  return out + "  }\n  $all = " + ps_list(switch_names(global_flags())) +
         "\n"
         "  $typed = @($ast.CommandElements | Select-Object -Skip 1 |\n"
         "    Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { \"$_\" })\n"
         "  $first = if ($typed.Count -gt 0) { $typed[0] } else { '' }\n"
         "  $both = if ($typed.Count -gt 1) { \"$first $($typed[1])\" } else { '' }\n"
         "  $found = if ($word -like '-*') { @($flags[$first]) + @($flags[$both]) + $all }\n"
         "    elseif ($typed.Count -lt 2) { $next[$first] } else { @() }\n"
         "  $found | Where-Object { $_ -and $_ -like \"$word*\" } |\n"
         "    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }\n}\n";
}

struct Shell {
  std::string_view name;
  std::string (*script)(std::span<Command const>, std::string const& program);
};
constexpr std::array kShells{Shell{"bash", &bash}, Shell{"zsh", &zsh}, Shell{"fish", &fish},
                             Shell{"powershell", &powershell}};

}  // namespace

core::Result<int> run_completion(Invocation& in) {
  auto const& words = in.given().words;
  auto const shell = std::ranges::find_if(
      kShells, [&](Shell const& s) { return words.size() == 1 && s.name == words.front(); });
  if (shell == kShells.end()) return misuse("name a shell: bash, zsh, fish or powershell");
  in.screen().print(shell->script(in.commands(), in.env().program));
  return 0;
}

}  // namespace andon::cli
