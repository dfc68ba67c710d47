// Stops itself and must be killed stopped.
#include "zoo.hpp"

int main() {
  zoo::here();
  ::raise(SIGSTOP);
  zoo::stay();
}
