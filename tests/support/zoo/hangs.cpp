// Does nothing at all.
#include "support/zoo/zoo.hpp"

int main() {
  zoo::here();
  zoo::stay();
}
