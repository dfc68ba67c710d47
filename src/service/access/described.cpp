#include "reflect/described.hpp"

#include "service/access/access.hpp"

namespace andon {

template struct reflect::Described<service::SignInCodeRequest>;
template struct reflect::Described<service::SignInCode>;
template struct reflect::Described<service::CreateTokenRequest>;
template struct reflect::Described<service::TokenView>;
template struct reflect::Described<service::ListTokensRequest>;
template struct reflect::Described<service::Tokens>;
template struct reflect::Described<service::TokenRequest>;

}  // namespace andon
