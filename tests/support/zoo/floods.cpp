// Prints as fast as it can, without an end.
#include <string>

#include "zoo.hpp"

int main() {
  zoo::here();
  std::string block;
  for (int i = 0; i < 1000; ++i) block += "a line of a flood, number " + std::to_string(i) + "\n";
  while (::write(1, block.data(), block.size()) > 0) {
  }
}
