// Prints its input and its environment.
#include "zoo.hpp"

int main() {
  int c = 0;
  while ((c = std::getchar()) != EOF) std::putchar(c);
  for (char** text = environ; *text; ++text) std::puts(*text);
}
