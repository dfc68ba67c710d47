// Prints every byte in every place, escape codes, and a line without an end.
#include <string>

#include "zoo.hpp"

int main() {
  std::string bytes;
  for (int i = 0; i < 65536; ++i) bytes += static_cast<char>(i * 31 + i / 256);
  bytes += "\x1b[2J\x1b]0;title\a last words";
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
}
