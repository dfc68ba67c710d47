#include "runner/output/pattern.hpp"

#include <vector>

#include <boost/regex.hpp>

namespace andon::runner {
namespace {

constexpr std::size_t kLongestText = 8192;

std::vector<std::string> group_names(std::string_view expression) {
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = expression.find("(?<", at)) != std::string_view::npos;) {
    at += 3;
    auto const end = expression.find('>', at);
    if (end == std::string_view::npos) break;
    auto const name = expression.substr(at, end - at);
    if (!name.empty() && name.front() != '=' && name.front() != '!') names.emplace_back(name);
  }
  return names;
}

}  // namespace

struct Pattern::Compiled {
  boost::regex expression;
  std::vector<std::string> names;
};

core::Result<Pattern> Pattern::compile(std::string const& expression) {
  try {
    Pattern pattern;
    pattern.compiled_ =
        std::make_shared<Compiled const>(Compiled{boost::regex{expression}, group_names(expression)});
    return pattern;
  } catch (boost::regex_error const& error) {
    return core::refuse(core::Code::kInvalidInput,
                        std::string{"is not a regular expression: "} + error.what());
  }
}

bool Pattern::found_in(std::string_view text) const {
  text = text.substr(0, kLongestText);
  try {
    return boost::regex_search(text.begin(), text.end(), compiled_->expression);
  } catch (std::runtime_error const&) {
    return false;  // Boost.Regex stopped a search that would take too long
  }
}

std::map<std::string, std::string> Pattern::groups(std::string_view text) const {
  text = text.substr(0, kLongestText);
  std::map<std::string, std::string> out;
  boost::match_results<std::string_view::const_iterator> match;
  try {
    if (!boost::regex_search(text.begin(), text.end(), match, compiled_->expression)) return out;
  } catch (std::runtime_error const&) {
    return out;
  }
  out["0"] = match.str(0);
  if (match.size() > 1 && match[1].matched) out["1"] = match.str(1);
  for (auto const& name : compiled_->names)
    if (match[name].matched) out[name] = match[name].str();
  return out;
}

}  // namespace andon::runner
