// Stops itself and must be killed stopped.
#include "support/zoo/zoo.hpp"

int main() {
  zoo::here();
  ::raise(SIGSTOP);
  zoo::stay();
}
