#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "cli/command_line/invocation.hpp"
#include "cli/command_line/named_commands.hpp"

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

constexpr std::array<std::string_view, 4> kShellNames{"bash", "zsh", "fish", "powershell"};

/// The first words of all commands, and what may follow each.
std::map<std::string, std::set<std::string>> word_tree(std::span<Command const> commands) {
  std::map<std::string, std::set<std::string>> out;
  for (auto const& command : commands) {
    auto& seconds = out[first_word(command.words)];
    if (auto second = second_word(command.words); !second.empty()) seconds.insert(std::move(second));
  }
  out["completion"].insert(kShellNames.begin(), kShellNames.end());
  for (auto const& command : commands) out["help"].insert(first_word(command.words));
  return out;
}

/// A word with its other spellings.
std::vector<std::string> all_words(std::string_view words) {
  std::vector<std::string> out{std::string{words}};
  for (auto const other : other_words(words)) out.emplace_back(other);
  return out;
}

std::string joined(auto const& words, std::string_view between = " ") {
  std::string out;
  for (auto const& word : words) out.append(out.empty() ? "" : between).append(word);
  return out;
}

/// The body shared by bash and zsh: given the words typed, what may come next.
std::string candidates_function(std::span<Command const> commands, std::string const& name) {
  auto const tree = word_tree(commands);
  std::vector<std::string> firsts;
  for (auto const& [first, seconds] : tree) firsts.push_back(first);
  std::string out = name + "() {\n  case \"$1\" in\n";
  for (auto const& command : commands)
    for (auto const& words : all_words(command.words))
      out += "    " + single_quoted(words) + ") echo " + single_quoted(switches(flags_of(command))) + " ;;\n";
  for (auto const& [first, seconds] : tree)
    if (!seconds.empty())
      out += "    " + single_quoted(first + " ") + ") echo " + single_quoted(joined(seconds)) + " ;;\n";
  return out + "    '') echo " + single_quoted(joined(firsts)) + " ;;\n  esac\n}\n";
}

/// The global flags that are followed by a value.
std::vector<std::string> names_with_value() {
  std::vector<std::string> out;
  for (auto const& flag : global_flags())
    if (flag.takes != Takes::nothing) out.push_back("--" + flag.name);
  return out;
}

/// Counts the words before the cursor that are no flags, for bash and zsh: `count`, `first` and `second`.
std::string count_words(std::string_view words_before) {
  return "  for word in " + std::string{words_before} +
         "; do\n"
         "    if [ -n \"$value\" ]; then value=; continue; fi\n"
         "    case \"$word\" in\n      " +
         joined(names_with_value(), "|") +
         ") value=1 ;;\n      -*) ;;\n"
         "      *) count=$((count + 1))\n"
         "        if [ $count -eq 1 ]; then first=$word; elif [ $count -eq 2 ]; then second=$word; fi ;;\n"
         "    esac\n  done\n";
}

/// The words that may be completed at the cursor; none after a global flag that needs a value.
std::string words_at_cursor(std::string const& function) {
  return "  if [ -n \"$value\" ]; then found=\n"
         "  elif [[ \"$cur\" == -* ]]; then\n    found=\"$(" +
         function + " \"$first\") $(" + function + " \"$first $second\") " + switches(global_flags()) +
         "\"\n"
         "  elif [ $count -eq 0 ]; then found=\"$(" +
         function +
         " '')\"\n"
         "  elif [ $count -eq 1 ]; then found=\"$(" +
         function + " \"$first \")\"\n  fi\n";
}

std::string bash(std::span<Command const> commands, std::string const& program) {
  auto const function = "_" + program + "_candidates";
  return "# bash completion of " + program + "\n" + candidates_function(commands, function) + "_" + program +
         "() {\n  local cur=\"${COMP_WORDS[COMP_CWORD]}\" word value= first= second= count=0 found=\n" +
         count_words("\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"") + words_at_cursor(function) +
         "  COMPREPLY=($(compgen -W \"$found\" -- \"$cur\"))\n}\ncomplete -o default -F _" + program + " " +
         program + "\n";
}

std::string zsh(std::span<Command const> commands, std::string const& program) {
  auto const function = "_" + program + "_candidates";
  return "#compdef " + program + "\n" + candidates_function(commands, function) + "_" + program +
         "() {\n  local cur=\"${words[CURRENT]}\" word value= first= second= count=0 found=\n" +
         "  local -a all\n" + count_words("\"${(@)words[2,CURRENT-1]}\"") + words_at_cursor(function) +
         "  all=(${(s: :)found})\n"
         "  (( $#all )) && compadd -- $all || _files\n}\ncompdef _" +
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
    auto const here = single_quoted("__fish_seen_subcommand_from " + joined(all_words(first)));
    if (!second.empty())
      out += complete + " -f -n " + here + " -a " + single_quoted(second) + " -d " +
             single_quoted(command.summary) + "\n";
    for (auto const& flag : flags_of(command))
      out += complete + " -n " + here + (flag.shorthand ? std::string{" -s "} + flag.shorthand : "") +
             " -l " + flag.name + (flag.takes == Takes::nothing ? "" : " -r") + " -d " +
             single_quoted(flag.help) + "\n";
  }
  auto const tree = word_tree(commands);
  for (auto const* first : {"completion", "help"})
    out += complete + " -f -n " + single_quoted(std::string{"__fish_seen_subcommand_from "} + first) +
           " -a " + single_quoted(joined(tree.at(first))) + "\n";
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
    for (auto const& words : all_words(command.words))
      out += "    " + ps_quoted(words) + " = " + ps_list(switch_names(flags_of(command))) + "\n";
  return out + "  }\n  $all = " + ps_list(switch_names(global_flags())) +
         "\n"
         "  $value = $false\n"
         "  $typed = @($ast.CommandElements | Select-Object -Skip 1 |\n"
         "    Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { \"$_\" } | Where-Object {\n"
         "      if ($value) { $value = $false; return $false }\n"
         "      $value = " +
         ps_list(names_with_value()) +
         " -contains $_\n"
         "      -not $_.StartsWith('-') })\n"
         "  if ($value) { return }\n"
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
