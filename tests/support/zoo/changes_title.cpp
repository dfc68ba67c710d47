// Overwrites its arguments and environment, as programs do that show a title.
#include <cstring>
#include <string>
#include <sys/prctl.h>

#include "zoo.hpp"

int main(int, char** argv) {
  std::string const pipe = std::getenv("ZOO_PIPE");
  ::prctl(PR_SET_NAME, "innocent");
  for (char** text = environ; *text; ++text) std::memset(*text, 0, std::strlen(*text));
  std::memset(argv[0], 0, std::strlen(argv[0]));
  ::setenv("ZOO_PIPE", pipe.c_str(), 1);
  zoo::here();
  zoo::stay();
}
