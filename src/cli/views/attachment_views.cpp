#include "cli/views/attachment_views.hpp"

#include "cli/command_line/safe_text.hpp"
#include "cli/views/task_views.hpp"

namespace andon::cli {

std::string attachment_list(service::Attachments const& files, Screen const& screen) {
  Table table({{"NAME"}, {"BYTES"}, {"TYPE"}, {"ATTACHED"}, {"BY"}});
  std::string lines;
  for (auto const& file : files.items) {
    table.add({file.name, std::to_string(file.size), file.type, minute_of(file.at), file.by});
    lines += one_line(file.name + " " + std::to_string(file.size) + " " + file.type) + "\n";
  }
  return screen.is_compact() ? lines : screen.drawn(table);
}

}  // namespace andon::cli
