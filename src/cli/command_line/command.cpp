#include "cli/command_line/command.hpp"

#include <algorithm>
#include <array>

#include "api/operation.hpp"
#include "cli/command_line/command_handlers.hpp"

namespace andon::cli {
namespace {

using api::FlagKind;
using reflect::Kind;

struct Alias {
  std::string_view word;
  std::string_view stands_for;
};
constexpr std::array kAliases{
    Alias{"add", "create"},
    Alias{"ls", "list"},
    Alias{"rm", "delete"},
    Alias{"summary", "board"},
    Alias{"boards", "boards list"},
    Alias{"workers", "workers list"},
    Alias{"token", "token list"},
    Alias{"dispatch", "dispatch status"},
    Alias{"boards ls", "boards list"},
    Alias{"workers ls", "workers list"},
    Alias{"workers rm", "workers remove"},
    Alias{"tokens", "token list"},
    Alias{"runners", "runners list"},
    Alias{"runners ls", "runners list"},
    Alias{"runners rm", "runners remove"},
    Alias{"automations", "automations list"},
    Alias{"automations ls", "automations list"},
    Alias{"automations rm", "automations remove"},
};

reflect::Type const& inner(reflect::Type const& type) {
  auto const* t = &type;
  while (t->kind == Kind::optional) t = t->element;
  return *t;
}

Takes takes_of(reflect::Type const& member) {
  auto const& type = inner(member);
  if (type.kind == Kind::boolean) return Takes::nothing;
  bool const plain_items =
      type.kind == Kind::list && type.element->kind != Kind::object && type.element->kind != Kind::list;
  return plain_items ? Takes::list : Takes::value;
}

bool is_in_path(api::Operation const& operation, std::string_view field) {
  return operation.path.contains("{" + std::string{field} + "}");
}

bool is_global(std::string_view flag) {
  return std::ranges::any_of(global_flags(), [&](Flag const& f) { return f.name == flag; });
}

std::string help_of(reflect::Member const& member) {
  std::string help{member.help};
  auto const& type = inner(*member.type);
  auto const& words = type.kind == Kind::list ? type.element->choices : type.choices;
  if (words.empty() || help.contains(words.front())) return help;
  help += ":";
  for (auto const& word : words) help.append(" ").append(word);
  return help;
}

/// The end of the help of a flag of that kind: from where its value is read.
std::string_view help_end(FlagKind kind) {
  switch (kind) {
    case FlagKind::file:
    case FlagKind::text: return "; - reads the standard input";
    case FlagKind::json_value: return ", or a file that holds it";
    default: return {};
  }
}

Takes takes_of(api::Flag const& flag, reflect::Member const* member) {
  if (flag.takes) return *flag.takes;
  if (flag.kind == FlagKind::clears || flag.kind == FlagKind::blanks) return Takes::nothing;
  return flag.kind == FlagKind::field && member ? takes_of(*member->type) : Takes::value;
}

Flag described(api::Flag const& flag, api::Operation const& operation) {
  auto const* member =
      reflect::find_member(*operation.request, flag.field.empty() ? field_name(flag.name) : flag.field);
  auto help = flag.help.empty() && member ? help_of(*member) : std::string{flag.help};
  help += help_end(flag.kind);
  return {std::string{flag.name}, flag.letter, takes_of(flag, member), std::move(help)};
}

void add_operation(api::Operation const& operation, std::vector<Command>& out) {
  bool special = false;
  for (auto const& s : special_commands()) {
    if (s.operation != operation.function) continue;
    special = true;
    out.push_back({s.words.empty() ? operation.command.words : s.words,
                   s.summary.empty() ? operation.summary : s.summary,
                   s.positional.empty() ? operation.command.positional : s.positional, &operation, s.handler,
                   nullptr});
  }
  bool const offered =
      operation.surfaces == api::Surfaces::all || operation.surfaces == api::Surfaces::cli_and_http;
  if (special || !offered) return;
  auto const words = operation.command.words.empty() ? operation.name : operation.command.words;
  out.push_back(
      {words, operation.summary, operation.command.positional, &operation, &call_operation, nullptr});
}

std::string upper(std::string_view text) {
  std::string out;
  for (char c : text) out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c == '_' ? '-' : c;
  return out;
}

/// Edit distance with insertions, deletions, substitutions and swaps (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::vector<Positional> positionals(Command const& command) {
  std::vector<Positional> out;
  auto text = command.named ? std::string_view{} : command.arguments;
  while (!text.empty()) {
    auto name = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), name.size() + 1));
    bool const optional = name.ends_with('?');
    if (optional) name.remove_suffix(1);
    out.push_back({name, optional});
  }
  return out;
}

std::vector<Flag> flags_of(Command const& command) {
  if (command.named) return command.named->flags;
  auto const& operation = *command.operation;
  std::vector<Flag> out;
  for (auto const& flag : operation.command.flags) out.push_back(described(flag, operation));
  if (operation.confirms != api::Confirms::never) out.push_back({"yes", 'y', Takes::nothing, "Do not ask"});
  for (auto const& member : operation.request->members()) {
    auto name = flag_name(member.name);
    if (listed_flag(operation, name) || is_global(name) || is_in_path(operation, member.name) ||
        api::names_field(operation.command.but, member.name))
      continue;
    out.push_back({std::move(name), 0, takes_of(*member.type), help_of(member)});
  }
  std::ranges::sort(out, {}, &Flag::name);
  return out;
}

api::Flag const* listed_flag(api::Operation const& operation, std::string_view name) {
  auto const& flags = operation.command.flags;
  auto const found = std::ranges::find(flags, name, &api::Flag::name);
  return found == flags.end() ? nullptr : &*found;
}

std::span<Flag const> global_flags() {
  static std::vector<Flag> const all{
      {"json", 0, Takes::nothing, "Answer with JSON"},
      {"table", 0, Takes::nothing, "Answer with tables (the default)"},
      {"compact", 0, Takes::nothing, "Answer with one line for each thing"},
      {"oneline", 0, Takes::nothing, "The same as --compact"},
      {"no-color", 0, Takes::nothing, "No colours"},
      {"dir", 0, Takes::value, "Data directory of the board"},
      {"store", 0, Takes::value, "URL of a PostgreSQL database with the boards; better in ANDON_STORE"},
      {"server", 0, Takes::value, "Address of a server, such as http://127.0.0.1:7420"},
      {"token", 0, Takes::value, "Token for the server; better in ANDON_TOKEN"},
      {"board", 0, Takes::value, "Board by name or number"},
      {"as", 0, Takes::value, "Name to act under"},
      {"quiet", 'q', Takes::nothing, "No messages beside the answer; `create` prints the number alone"},
      {"verbose", 0, Takes::nothing, "Tell what is being done"},
      {"help", 'h', Takes::nothing, "Help for the command"},
      {"version", 'v', Takes::nothing, "Print the version"},
  };
  return all;
}

std::string flag_name(std::string_view field) {
  std::string name{field};
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string field_name(std::string_view flag) {
  std::string name{flag};
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string usage_of(Command const& command) {
  std::string out{command.words};
  if (command.named && !command.named->arguments.empty()) out.append(" ").append(command.named->arguments);
  for (auto const& p : positionals(command)) {
    auto word = upper(p.name);
    if (p.name == "id" && takes_many(command)) word += "[,ID...]";
    out += p.optional ? " [" + word + "]" : " " + word;
  }
  return out + " [flags]";
}

bool takes_many(Command const& command) {
  return command.operation && command.operation->effect != api::Effect::read &&
         api::names_task(*command.operation) && command.arguments.starts_with("id");
}

std::vector<Command> all_commands(std::span<NamedCommand const> brought) {
  std::vector<Command> out;
  for (auto const& operation : api::operations()) add_operation(operation, out);
  for (auto const& named : brought)
    out.push_back({named.words, named.summary, named.arguments, nullptr, nullptr, &named});
  return out;
}

std::string_view full_word(std::string_view word) {
  auto const found = std::ranges::find(kAliases, word, &Alias::word);
  return found == kAliases.end() ? word : found->stands_for;
}

std::vector<std::string_view> other_words(std::string_view word) {
  std::vector<std::string_view> out;
  for (auto const& alias : kAliases)
    if (alias.stands_for == word) out.push_back(alias.word);
  return out;
}

Command const* find_command(std::span<Command const> commands, std::string_view words) {
  auto const exact = std::ranges::find(commands, words, &Command::words);
  if (exact != commands.end()) return &*exact;
  auto const found = std::ranges::find(commands, full_word(words), &Command::words);
  return found == commands.end() ? nullptr : &*found;
}

std::string nearest(std::string_view word, std::span<std::string const> names) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (auto const& name : names) {
    auto const d = name.starts_with(word) && !word.empty() ? 1 : distance(word, name);
    if (d >= best_distance) continue;
    best = name;
    best_distance = d;
  }
  return best;
}

}  // namespace andon::cli
