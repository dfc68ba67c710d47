// How each program is told to talk to the stand-in model and to nobody else: variables, and files in a home of its own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

function place(home, file, content) {
  const path = join(home, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

export const kOffline = {
  claude: (url, home) => ({
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'dummy', CLAUDE_CONFIG_DIR: join(home, 'claude'), CLAUDE_CODE_MAX_RETRIES: '1', IS_SANDBOX: '1' },
    model: 'claude-stand-in',
  }),
  codex: (url, home) => {
    const provider = `[model_providers.stand_in]\nname = "stand-in"\nbase_url = "${url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\nrequest_max_retries = 0\nstream_max_retries = 0\n`;
    place(home, 'codex/config.toml', `model_provider = "stand_in"\n\n${provider}`);
    return { env: { CODEX_HOME: join(home, 'codex'), OPENAI_API_KEY: 'dummy' }, model: 'stand-in' };
  },
  gemini: (url, home) => {
    place(home, 'gemini/.gemini/settings.json', JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } }, privacy: { usageStatisticsEnabled: false } }));
    return { env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'dummy', GEMINI_CLI_HOME: join(home, 'gemini') }, model: 'gemini-2.5-flash' };
  },
  opencode: (url, home) => {
    const models = { 'stand-in': { name: 'stand-in', cost: { input: 1, output: 2 }, limit: { context: 100000, output: 4096 } } };
    const provider = { stand: { npm: '@ai-sdk/openai-compatible', name: 'stand-in', options: { baseURL: `${url}/v1`, apiKey: 'dummy' }, models } };
    const config = { autoupdate: false, share: 'disabled', provider, small_model: 'stand/stand-in' };
    const mcp = { andon: { type: 'remote', url: '{mcp.url}', oauth: false, headers: { Authorization: 'Bearer {board.token}' } } };
    const at = (name) => join(home, 'opencode', name);
    return {
      env: { OPENCODE_CONFIG_CONTENT: { if: 'mcp.url', then: { json: { ...config, mcp } }, else: { json: config } }, XDG_DATA_HOME: at('data'), XDG_CONFIG_HOME: at('config'), XDG_STATE_HOME: at('state'), XDG_CACHE_HOME: at('cache') },
      model: 'stand/stand-in',
    };
  },
  copilot: (url, home) => ({
    env: { COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_API_KEY: 'dummy', COPILOT_MODEL: 'stand-in', COPILOT_HOME: join(home, 'copilot') },
    model: '',
  }),
};

// Programs that no run here can be made of, and why.
export const kNotOffline = {
  cursor: 'it is not on npm and knows no other model server',
  amp: 'it needs its own service',
  aider: 'it is not on npm',
};
