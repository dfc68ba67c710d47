import type { Api } from '../sync/api.ts';
import type { BodyOf, Route } from '../sync/requests.ts';
import type { Account, Automation, BoardSettings, SuspectedCopy, Token, WorkerSettings } from './wire_settings.ts';

type Values = Record<string, unknown>;

// Forms hold what a person typed under the names of the fields; a test holds these to the server's description.
const formed = <R extends Route>(values: Values) => values as BodyOf<R>;

// The operations that only the settings use.
export class SettingsApi {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  board = (board: string): Promise<BoardSettings> => this.#api.ask('GET /boards/{board}', { path: { board } });
  createBoard = (values: Values): Promise<BoardSettings> => this.#api.ask('POST /boards', { body: formed<'POST /boards'>(values) });
  editBoard = (board: string, values: Values, rev: number): Promise<BoardSettings> =>
    this.#api.ask('PATCH /boards/{board}', { path: { board }, body: formed<'PATCH /boards/{board}'>(values) }, { rev });
  deleteBoard = (board: string) => this.#api.ask('DELETE /boards/{board}', { path: { board } });
  repositories = (path: string) => this.#api.ask('GET /repositories', { query: path ? { path } : {} });

  workers = (): Promise<WorkerSettings[]> => this.#api.ask('GET /workers', {}).then((page) => page.items);
  worker = (name: string): Promise<WorkerSettings> => this.#api.ask('GET /workers/{name}', { path: { name } });
  addWorker = (values: Values): Promise<WorkerSettings> => this.#api.ask('POST /workers', { body: formed<'POST /workers'>(values) });
  editWorker = (name: string, values: Values, rev: number): Promise<WorkerSettings> =>
    this.#api.ask('PATCH /workers/{name}', { path: { name }, body: formed<'PATCH /workers/{name}'>(values) }, { rev });
  removeWorker = (name: string) => this.#api.ask('DELETE /workers/{name}', { path: { name } });
  testAgent = (id: string) => this.#api.ask('POST /agents/{id}/test', { path: { id }, body: {} });
  accounts = (): Promise<Account[]> => this.#api.ask('GET /accounts', {}).then((page) => page.items);
  copies = (board: string): Promise<SuspectedCopy[]> => this.#api.ask('GET /copies', { query: { board } }).then((page) => page.items);
  mergeTasks = (id: number, into: number) => this.#api.ask('POST /tasks/{id}/merge', { path: { id }, body: { into } });
  dismissCopy = (id: number, other: number) => this.#api.ask('POST /tasks/{id}/copies/dismiss', { path: { id }, body: { other } });

  pauseAccount = (account: string) => this.#api.ask('POST /accounts/{account}/pause', { path: { account }, body: {} });

  automations = (): Promise<Automation[]> => this.#api.ask('GET /automations', {}).then((page) => page.items);
  automation = (id: string): Promise<Automation> => this.#api.ask('GET /automations/{id}', { path: { id } });
  addAutomation = (values: Values): Promise<Automation> => this.#api.ask('POST /automations', { body: formed<'POST /automations'>(values) });
  editAutomation = (id: number, values: Values, rev?: number): Promise<Automation> =>
    this.#api.ask('PATCH /automations/{id}', { path: { id }, body: formed<'PATCH /automations/{id}'>(values) }, { rev });
  removeAutomation = (id: number) => this.#api.ask('DELETE /automations/{id}', { path: { id } });
  runAutomation = (id: number) => this.#api.ask('POST /automations/{id}/run', { path: { id }, body: {} });

  // All of them: the answer comes in pages.
  async tokens(): Promise<Token[]> {
    const tokens: Token[] = [];
    for (let cursor: string | undefined; ; ) {
      const page: { items: Token[]; next?: string } = await this.#api.ask('GET /tokens', { query: { limit: 500, cursor } });
      tokens.push(...page.items);
      if (!page.next) return tokens;
      cursor = page.next;
    }
  }
  createToken = (values: Values): Promise<Token> => this.#api.ask('POST /tokens', { body: formed<'POST /tokens'>(values) });
  revokeToken = (id: number) => this.#api.ask('DELETE /tokens/{id}', { path: { id } });

  work = () => this.#api.ask('GET /work', {});
  cleanWork = () => this.#api.ask('POST /work/clean', { body: {} });
  limitWork = (limit: string) => this.#api.ask('PUT /work', { body: { limit } });
  retention = () => this.#api.ask('GET /store/retention', {});
  changeRetention = (values: Values) => this.#api.ask('PATCH /store/retention', { body: formed<'PATCH /store/retention'>(values) });
}
