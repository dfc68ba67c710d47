#include "reflect/described.hpp"

#include "bridge/telegram/record.hpp"

namespace andon {

template struct reflect::Described<bridge::InMessage>;
template struct reflect::Described<bridge::telegram::Post>;
template struct reflect::Described<bridge::telegram::Keyboard>;
template struct reflect::Described<bridge::telegram::SentMessage>;
template struct reflect::Described<bridge::telegram::Handling>;
template struct reflect::Described<bridge::telegram::MovedChat>;
template struct reflect::Described<bridge::telegram::State>;

}  // namespace andon
