import type { Task } from '../model/wire.ts';
import type { Api } from '../sync/api.ts';
import type { Account, AgentTest, Automation, BoardSettings, Repositories, Retention, Token, WorkCleaned, WorkerSettings, WorkList } from './wire_settings.ts';

type Values = Record<string, unknown>;
interface Page<T> {
  items: T[];
  next?: string;
}

const part = encodeURIComponent;

// The operations that only the settings use.
export class SettingsApi {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  board = (name: string) => this.#api.read<BoardSettings>(`/boards/${part(name)}`);
  createBoard = (values: Values) => this.#api.write<BoardSettings>('POST', '/boards', values);
  editBoard = (name: string, values: Values, rev: number) => this.#api.write<BoardSettings>('PATCH', `/boards/${part(name)}`, values, rev);
  deleteBoard = (name: string) => this.#api.write<{ status: string }>('DELETE', `/boards/${part(name)}`);
  repositories = (path: string) => this.#api.read<Repositories>('/repositories', path ? { path } : {});

  workers = () => this.#items<WorkerSettings>('/workers');
  worker = (name: string) => this.#api.read<WorkerSettings>(`/workers/${part(name)}`);
  addWorker = (values: Values) => this.#api.write<WorkerSettings>('POST', '/workers', values);
  editWorker = (name: string, values: Values, rev: number) => this.#api.write<WorkerSettings>('PATCH', `/workers/${part(name)}`, values, rev);
  removeWorker = (name: string) => this.#api.write<object>('DELETE', `/workers/${part(name)}`);
  testAgent = (id: string) => this.#api.write<AgentTest>('POST', `/agents/${part(id)}/test`, {});
  accounts = () => this.#items<Account>('/accounts');

  automations = () => this.#items<Automation>('/automations');
  automation = (name: string) => this.#api.read<Automation>(`/automations/${part(name)}`);
  addAutomation = (values: Values) => this.#api.write<Automation>('POST', '/automations', values);
  editAutomation = (id: number, values: Values, rev?: number) => this.#api.write<Automation>('PATCH', `/automations/${id}`, values, rev);
  removeAutomation = (id: number) => this.#api.write<object>('DELETE', `/automations/${id}`);
  runAutomation = (id: number) => this.#api.write<Task>('POST', `/automations/${id}/run`, {});

  // All of them: the answer comes in pages.
  async tokens(): Promise<Token[]> {
    const tokens: Token[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await this.#api.read<Page<Token>>('/tokens', { limit: 500, cursor });
      tokens.push(...page.items);
      if (!page.next) return tokens;
      cursor = page.next;
    }
  }
  createToken = (values: Values) => this.#api.write<Token>('POST', '/tokens', values);
  revokeToken = (id: number) => this.#api.write<object>('DELETE', `/tokens/${id}`);

  work = () => this.#api.read<WorkList>('/work');
  cleanWork = () => this.#api.write<WorkCleaned>('POST', '/work/clean', {});
  limitWork = (limit: string) => this.#api.write<object>('PUT', '/work', { limit });
  retention = () => this.#api.read<Retention>('/store/retention');
  changeRetention = (values: Values) => this.#api.write<Retention>('PATCH', '/store/retention', values);

  #items = <T>(path: string) => this.#api.read<Page<T>>(path).then((page) => page.items);
}
