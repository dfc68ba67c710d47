import type { SettingsApi } from '../../settings/settings_api.ts';
import type { AgentTest } from '../../settings/wire_settings.ts';

// The tests of agents that this page has asked for.
export class AgentTests {
  readonly #api: SettingsApi;
  results: Readonly<Record<string, AgentTest | 'running' | { fault: string }>> = $state.raw({});

  constructor(api: SettingsApi) {
    this.#api = api;
  }

  of = (id: string) => this.results[id];

  async run(id: string): Promise<void> {
    if (!id || this.results[id] === 'running') return;
    this.#set(id, 'running');
    this.#set(id, await this.#api.testAgent(id).catch((reason: Error) => ({ fault: reason.message })));
  }

  #set(id: string, result: AgentTest | 'running' | { fault: string }): void {
    this.results = { ...this.results, [id]: result };
  }
}
