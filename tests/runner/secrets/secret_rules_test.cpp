#include "runner/secrets/secret_rules.hpp"

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "runner/secrets/sample_secrets.hpp"

using namespace andon;
using namespace andon::runner;
using namespace andon::test;

namespace {

struct SampleText {
  std::string kind;
  std::string text;
  std::string path = "config/settings.txt";
};

std::vector<SecretHit> hits_in(SampleText const& sample) {
  return SecretRules::embedded().in_text(sample.path, sample.text + "\n");
}

std::string jwt() {
  auto const part = [](std::string_view text) {
    auto out = in_base64(text);
    out.erase(out.find_last_not_of('=') + 1);
    return out;
  };
  return part(R"({"alg":"RS256","typ":"JWT"})") + "." +
         part(R"({"iss":"shop","sub":"u-84312","exp":1893456000})") + "." + scrambled(43);
}

std::string prefixed(std::string_view text, std::string_view prefix) {
  std::string out{prefix};
  for (char const c : text) {
    out += c;
    if (c == '\n') out += prefix;
  }
  return out;
}

std::vector<SampleText> tokens() {
  return {
      {"AWS access key id", "id = AKIA" + scrambled(16, kUpper32)},
      {"AWS temporary access key id", "\"accessKeyId\": \"ASIA" + scrambled(16, kUpper32) + "\""},
      {"AWS secret in env", "AWS_SECRET_ACCESS_KEY=" + scrambled(40, kBase64)},
      {"AWS secret in ini", "aws_secret_access_key = " + scrambled(40, kBase64, 2)},
      {"AWS secret in JSON", "  \"secretAccessKey\": \"" + scrambled(40, kBase64, 3) + "\","},
      {"AWS secret in YAML", "aws_secret_key: " + scrambled(40, kBase64, 4)},
      {"AWS secret by its short name", "export AWS_SECRET_KEY='" + scrambled(40, kBase64, 5) + "'"},
      {"AWS secret over two lines", "aws_secret_access_key =\n    " + scrambled(40, kBase64, 6)},
      {"Azure storage",
       "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=" + scrambled(86, kBase64) + "=="},
      {"Azure service bus", "SharedAccessKeyName=Root;SharedAccessKey=" + scrambled(43, kBase64) + "="},
      {"Azure signature",
       "https://s.blob.core.windows.net/a?sv=2021-08-06&se=2030&sig=" + scrambled(43) + "%3D"},
      {"GCP API key", "key: AIza" + scrambled(35)},
      {"GitHub token", "GITHUB_TOKEN=ghp_" + scrambled(36)},
      {"GitHub token of an app", "token: \"ghs_" + scrambled(36) + "\""},
      {"GitHub token in an address",
       "git clone https://x-access-token:ghp_" + scrambled(36, kWord, 7) + "@github.com/a/b"},
      {"GitHub fine-grained token", "github_pat_" + scrambled(82)},
      {"GitLab token", "glpat-" + scrambled(20)},
      {"GitLab token of a runner", "token = glrt-" + scrambled(20)},
      {"Slack bot token",
       "xoxb-" + scrambled(12, kDigits) + "-" + scrambled(12, kDigits, 2) + "-" + scrambled(24)},
      {"Slack webhook", "https://hooks.slack.com/services/T" + scrambled(10, kUpper) + "/B" +
                            scrambled(10, kUpper, 2) + "/" + scrambled(24)},
      {"Discord webhook",
       "https://discord.com/api/webhooks/" + scrambled(18, "123456789") + "/" + scrambled(68)},
      {"Google Chat webhook", "https://chat.googleapis.com/v1/spaces/AAAA" + scrambled(7) +
                                  "/messages?key=AI" + scrambled(30) + "&token=" + scrambled(43)},
      {"Teams webhook",
       "https://shop.webhook.office.com/webhookb2/"
       "0d6ab4b1-8f0e-4c1f-9d9f-6a1e6b5c3d21@7c2f1d9e-3b5a-4e6f-8a7b-9c0d1e2f3a4b/IncomingWebhook/" +
           scrambled(32, kHex) + "/"},
      {"Power Automate webhook",
       "https://prod-1.westeurope.logic.azure.com:443/workflows/x/triggers/manual/paths/"
       "invoke?api-version=2016&sp=t&sv=1.0&sig=" +
           scrambled(43)},
      {"Stripe key", "STRIPE=sk_live_" + scrambled(24)},
      {"Stripe restricted key", "rk_live_" + scrambled(24)},
      {"SendGrid key", "SG." + scrambled(22) + "." + scrambled(43)},
      {"Twilio key", "SK" + scrambled(32, kHex)},
      {"npm token", "npm_" + scrambled(36)},
      {"npm registry token", "//registry.npmjs.org/:_authToken=" + scrambled(36, kWord, 9), ".npmrc"},
      {"npm registry sign-in", "_auth = \"" + in_base64("deploy:" + scrambled(20)) + "\"", ".npmrc"},
      {"PyPI token", "pypi-AgEIcHlwaS5vcmc" + scrambled(70)},
      {"Hugging Face token", "hf_" + scrambled(34, "abcdefghijklmnopqrstuvwxyz")},
      {"OpenAI key", "sk-proj-" + scrambled(74) +
                         "T3Blb"
                         "kFJ" +
                         scrambled(74, kWord, 2)},
      {"Anthropic key", "sk-ant-api03-" + scrambled(93) + "AA"},
      {"DigitalOcean token", "dop_v1_" + scrambled(64, kHex)},
      {"Telegram bot", "TELEGRAM_TOKEN=" + scrambled(10, "123456789") + ":A" + scrambled(34)},
      {"Shopify token", "shpat_" + scrambled(32, kHex)},
      {"Databricks token", "dapi" + scrambled(32, kHex)},
      {"Vault token", "hvs." + scrambled(95)},
      {"Age key", "AGE-SECRET-KEY-1" + scrambled(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")},
      {"Andon token", "ANDON_TOKEN=andon_r_" + scrambled(64, kHex)},
      {"JSON web token", "curl https://x.org?t=" + jwt()},
      {"JSON web token in JSON", "{\"id_token\": \"" + jwt() + "\"}"},
      {"Database address", "DATABASE_URL=postgres://shop:" + scrambled(12) + "@db1.shop.net:5432/shop"},
      {"Redis address without a user", "redis://:" + scrambled(16) + "@cache.shop.net:6379"},
      {"Broker address in YAML", "  url: \"amqp://shop:" + scrambled(10) + "@mq.shop.net/v\""},
      {"Address with a short password", "ftp://backup:mohnblume7@files.shop.net/"},
      {"netrc", "machine git.shop.net login deploy password " + scrambled(14), ".netrc"},
      {"netrc over lines", "machine git.shop.net\n  login deploy\n  password " + scrambled(14), ".netrc"},
      {"Container registry",
       "\"auths\": {\"r.shop.net\": {\"auth\": \"" + in_base64("deploy:" + scrambled(20)) + "\"}}",
       "config.json"},
      {"Named password in env", "DB_PASSWORD=" + scrambled(20), ".env"},
      {"Named key in YAML", "  api_key: " + scrambled(32, kLower), "app.yaml"},
      {"Named secret in JSON", "\"client_secret\": \"" + scrambled(40) + "\"", "app.json"},
      {"Named secret in Python", "SECRET_KEY = '" + scrambled(50) + "'", "settings.py"},
      {"Named secret in Go", "\tapiToken := \"" + scrambled(32, kLower, 4) + "\"", "main.go"},
      {"Named secret in a message", "access_key: " + scrambled(32, kLower, 6), ""},
      {"Named password with marks", "password: \"vK8#" + scrambled(3) + "w!2\"", "app.yaml"},
      {"curl with a sign-in", "curl -u deploy:" + scrambled(18) + " https://x.shop.net/"},
      {"curl with a bearer", "curl -H \"Authorization: Bearer " + scrambled(40) + "\" https://x.shop.net/"},
      {"Kubernetes secret",
       "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ndata:\n  password: " + in_base64(scrambled(24)),
       "secret.yaml"},
  };
}

std::vector<SampleText> wrapped_keys() {
  auto const key = private_key();
  auto const openssh = private_key("\n", "OPENSSH PRIVATE KEY");
  return {
      {"PEM", key},
      {"PEM of RSA", private_key("\n", "RSA PRIVATE KEY")},
      {"PEM of EC", private_key("\n", "EC PRIVATE KEY")},
      {"PEM of OpenSSH", openssh},
      {"PEM with line ends of Windows", private_key("\r\n")},
      {"PEM with a head", pem_mark("BEGIN", "RSA PRIVATE KEY") +
                              "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n" +
                              scrambled(64, kBase64)},
      {"PGP",
       pem_mark("BEGIN", "PGP PRIVATE KEY BLOCK") + "\nVersion: GnuPG v2\n\n" + scrambled(64, kBase64)},
      {"PEM in YAML", "key: |\n" + prefixed(key, "    ")},
      {"PEM in a quotation", prefixed(key, "> ")},
      {"PEM in a comment", prefixed(key, "# ")},
      {"PEM on one line of JSON", "{\"private_key\": \"" + private_key("\\n") + "\\n\"}"},
      {"PEM on one line, escaped twice", "KEY=\"" + private_key("\\\\n") + "\""},
      {"PEM in pieces of code", "key = \"" + private_key("\\n\" +\n      \"") + "\""},
      {"PEM in a list of texts", "  '" + private_key("',\n  '") + "'"},
      {"First line of PEM at the end", "some text\n" + pem_mark("BEGIN", "PRIVATE KEY")},
      {"PuTTY",
       "PuTTY-User-Key-"
       "File-2: ssh-rsa\nEncryption: none\nComment: a\nPrivate-Lines: 14\n"},
      {"OpenSSH without its head",
       "b3BlbnNzaC1rZXkt"
       "djE" +
           scrambled(60, kBase64)},
      {"PEM in base64", "key: " + in_base64(key)},
      {"PEM in base64 behind one letter", "key: " + in_base64("\n" + key)},
      {"PEM in base64 behind two letters", "key: " + in_base64("\r\n" + openssh)},
  };
}

std::vector<SampleText> harmless_texts() {
  auto const begin = pem_mark("BEGIN", "PRIVATE KEY");
  auto const hex40 = scrambled(40, kHex);
  return {
      {"AWS example", "AKIAIOSFODNN7EXAMPLE"},
      {"AWS example secret", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"},
      {"AWS id of one letter", "AKIAXXXXXXXXXXXXXXXX"},
      {"Token of one letter", "ghp_" + std::string(36, 'x')},
      {"Token left out", "GITHUB_TOKEN=ghp_..."},
      {"SHA-1", "commit " + hex40},
      {"SHA-256", "sha256: " + scrambled(64, kHex)},
      {"SHA-512", "sha512:" + scrambled(128, kHex)},
      {"MD5 sum", scrambled(32, kHex) + "  file.tar.gz"},
      {"git id in a lock", "rev: " + hex40, ".pre-commit-config.yaml"},
      {"Action by its id", "uses: actions/checkout@" + hex40, ".github/workflows/ci.yml"},
      {"UUID", "id: 550e8400-e29b-41d4-a716-446655440000"},
      {"UUID as a token", "token: \"6ba7b810-9dad-11d1-80b4-00c04fd430c8\""},
      {"Integrity of npm", "\"integrity\": \"sha512-" + scrambled(86, kBase64) + "==\"", "package-lock.json"},
      {"Integrity of yarn", "  integrity sha512-" + scrambled(86, kBase64) + "==", "yarn.lock"},
      {"Sum of Go", "github.com/gin-gonic/gin v1.9.1 h1:" + scrambled(43, kBase64) + "=", "go.sum"},
      {"Hash of pip", "    --hash=sha256:" + scrambled(64, kHex), "requirements.txt"},
      {"Checksum of cargo", "checksum = \"" + scrambled(64, kHex) + "\"", "Cargo.lock"},
      {"Hash of nix", "hash = \"sha256-" + scrambled(43, kBase64) + "=\";", "default.nix"},
      {"Picture", "<img src=\"data:image/png;base64,iVBORw0KGgo" + scrambled(900, kBase64) + "\">", "a.html"},
      {"Font", "src: url(data:font/woff2;base64,d09GMgAB" + scrambled(900, kBase64) + ")", "a.css"},
      {"Source map",
       "//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLC" + scrambled(300, kBase64),
       "a.js"},
      {"Certificate",
       pem_mark("BEGIN", "CERTIFICATE") + "\nMIID" + scrambled(60, kBase64) + "\n" + scrambled(64, kBase64)},
      {"Public key",
       pem_mark("BEGIN", "PUBLIC KEY") + "\nMIIB" + scrambled(60, kBase64) + "\n" + scrambled(64, kBase64)},
      {"Public key of SSH", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + scrambled(43, kBase64) + " ann@shop"},
      {"Certificate in base64",
       "ca: " + in_base64(pem_mark("BEGIN", "CERTIFICATE") + "\nMIID" + scrambled(200, kBase64)), "k.yaml"},
      {"Code that compares with PEM", "if line == \"" + begin + "\" {\n  return true\n}", "pem.go"},
      {"Code that looks for PEM", "re.compile(r\"" + begin + "\")\nvalue = read(path)", "pem.py"},
      {"PEM in prose", "The file begins with `" + begin + "` and ends so too.\nKeep it safe.", "README.md"},
      {"PEM of nothing", begin + pem_mark("END", "PRIVATE KEY")},
      {"PEM without a key", begin + "\n...\n" + pem_mark("END", "PRIVATE KEY"), "README.md"},
      {"PEM with a placeholder",
       "\"private_key\": \"" + begin + "\\nYOUR KEY HERE\\n" + pem_mark("END", "PRIVATE KEY") + "\"",
       "a.json"},
      {"Placeholder in angles", "password: <your-password-here>"},
      {"Placeholder of a shell", "export API_TOKEN=${API_TOKEN}"},
      {"Placeholder with a default", "DB_PASSWORD=${DB_PASSWORD:-changeme}", ".env"},
      {"Placeholder of a template", "secret: \"{{ .Values.clientSecret2024 }}\"", "a.yaml"},
      {"Placeholder of an action", "token: ${{ secrets.GITHUB_TOKEN }}", "ci.yml"},
      {"Placeholder in words", "API_KEY=your-api-key-goes-here", ".env.example"},
      {"Placeholder of stars", "password = \"****************\""},
      {"Placeholder of letters", "apiKey: 'xxxxxxxxxxxxxxxxxxxxxxxx'"},
      {"Address of this machine", "postgres://shop:hunter22@localhost:5432/shop"},
      {"Address of a container", "DATABASE_URL=postgres://shop:s3cr3tpw@db:5432/shop", "compose.yaml"},
      {"Address of an example", "https://ann:correcthorse@example.com/"},
      {"Address with an escaped word", "https://user:pass%20pass@login.shop.net/"},
      {"Address with the word", "mysql://root:password@mysql.shop.net/shop"},
      {"Address with a variable", "redis://:${REDIS_PASSWORD}@cache.shop.net:6379"},
      {"Address with a template", "amqp://{{user}}:{{password}}@mq.shop.net"},
      {"Address with a format", "\"mongodb://%s:%s@%s/%s\"", "a.go"},
      {"Address with a port and a mail", "http://localhost:8080/users/ann@shop.net"},
      {"Call in code", "password = get_password_from_vault(user_id2)", "a.py"},
      {"Variable in code", "apiKey: process.env.API_KEY_2024_PROD,", "a.ts"},
      {"Attribute in code", "token = self.config.auth_token_v2", "a.py"},
      {"Name of a message", "\"invalid_token\": \"auth.error.invalid_token_2\"", "en.json"},
      {"Sentence", "\"password\": \"Please enter your password (8 to 64 characters)\"", "en.json"},
      {"Type in code", "const secretKey: CryptoKeyPair2048 = await make()", "a.ts"},
      {"Name of a key", "key: \"feature_flag_checkout_v2\"", "a.yaml"},
      {"File of a secret", "password_file: /run/secrets/db_password_2024"},
      {"Reference to a secret", "secretKeyRef: {name: shop-credentials-2024, key: password}", "a.yaml"},
      {"Name of a secret", "secretName: wildcard-shop-net-tls-2024", "a.yaml"},
      {"Address of tokens", "token_url: https://login.shop.net/oauth2/v2/token"},
      {"Site key", "public_key = \"pk_test_site_2024\""},
      {"Emulator of Azure",
       "AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="},
      {"Example of a JSON web token",
       "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0." +
           scrambled(43)},
      {"netrc in prose", "The machine has a login and a password for each of its users."},
      {"curl with placeholders", "curl -u user:password https://x.shop.net/"},
      {"curl with a variable", "curl -H \"Authorization: Bearer $TOKEN\" https://x.shop.net/"},
      {"Name of a metric", "andon_http_answers_total_2024"},
      {"Long number", "accountNumber: 12345678901234567890"},
      {"Date and time", "token_expires: 2024-05-17T12:00:00.000Z"},
      {"Colours", "--token-color-string: #a31515; --token-color-keyword: #0000ff;", "a.css"},
      {"Version", "auth_service_image: registry.shop.net/auth:v1.24.3-alpine", "a.yaml"},
  };
}

}  // namespace

TEST_CASE("SecretRules.AllExpressionsAreGood") {
  std::size_t count = 0;
  for (auto const& rule : SecretRules::embedded().rules()) {
    INFO(rule.id);
    if (rule.expression) CHECK(rule.expression->problem() == "");
    if (rule.path) CHECK(rule.path->problem() == "");
    for (auto const& allowance : rule.allowances)
      for (auto const& one : allowance.expressions) CHECK(one.problem() == "");
    ++count;
  }
  CHECK(count > 200);
}

TEST_CASE("SecretRules.FindTokensOfManyKinds") {
  CHECK(tokens().size() >= 60);
  for (auto const& sample : tokens()) {
    INFO(sample.kind);
    CHECK_FALSE(hits_in(sample).empty());
  }
}

TEST_CASE("SecretRules.FindPrivateKeysInAnyWrapping") {
  for (auto const& sample : wrapped_keys()) {
    INFO(sample.kind);
    CHECK_FALSE(hits_in(sample).empty());
  }
}

TEST_CASE("SecretRules.LeaveHarmlessTextsAlone") {
  CHECK(harmless_texts().size() >= 60);
  for (auto const& sample : harmless_texts()) {
    INFO(sample.kind);
    auto const hits = hits_in(sample);
    CHECK_MESSAGE(hits.empty(), hits.front().rule);
  }
}

TEST_CASE("SecretRules.SayTheLineAndNeverTheSecret") {
  auto const token = "ghp_" + scrambled(36);
  auto const hits = SecretRules::embedded().in_text("a.txt", "one\ntwo\nthree " + token + "\nfour\n");
  REQUIRE(hits.size() == 1);
  CHECK(hits[0].line == 2);
  CHECK(hits[0].rule == "github-pat");
  CHECK_FALSE(hits[0].description.contains(token));
}

TEST_CASE("SecretRules.ReadTextOfTwoBytesALetter") {
  std::string wide = "\xFF\xFE";
  for (char const c : "x = 1\ntoken = ghp_" + scrambled(36) + "\n") wide += std::string{c, '\0'};
  auto const hits = SecretRules::embedded().in_text("a.reg", wide);
  REQUIRE_FALSE(hits.empty());
  CHECK(hits[0].line == 1);
}

TEST_CASE("SecretRules.FindATokenAnywhereInALongLine") {
  auto const token = "ghp_" + scrambled(36);
  for (std::size_t const before : {0U, 1'000U, 65'530U, 65'536U, 200'000U}) {
    std::string text(before, ' ');
    text += token + std::string(100'000, ' ');
    INFO(before);
    CHECK(SecretRules::embedded().in_text("a.js", text).size() == 1);
  }
}

TEST_CASE("SecretRules.KnowFilesThatAreSecretsByName") {
  CHECK_FALSE(SecretRules::embedded().in_path("certs/shop.p12").empty());
  CHECK(SecretRules::embedded().in_path("certs/shop.pem").empty());
}

TEST_CASE("SecretRules.StopAtTheEndOfTheirEffort") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "ghp_" + std::string(36, 'x') + "\n";
  SecretEffort effort{.left = 1'000};
  CHECK(SecretRules::embedded().in_text("a", text, effort).empty());
  CHECK(effort.is_spent);
}

TEST_CASE("SecretRules.StayLinearInHostileText") {
  std::string text;
  for (auto const& rule : SecretRules::embedded().rules())
    for (auto const& word : rule.keywords) text += word + "=\"";
  std::string all;
  while (all.size() < 300'000) all += text;
  SecretEffort effort;
  SecretRules::embedded().in_text("a", all, effort);
  auto const used = std::numeric_limits<std::size_t>::max() - effort.left;
  CHECK(used < all.size() * 1'000);
}
