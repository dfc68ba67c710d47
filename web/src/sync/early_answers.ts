// The answers that boot.js asked for, by address.
export type Asked = Record<string, Promise<Response>>;

declare global {
  interface Window {
    andonAsked?: Asked;
  }
}

// Answers that were asked for before this script was there. Each is given out once, and none once the first view is
// open: by then the data may have changed.
export class EarlyAnswers {
  #asked: Asked;

  constructor(asked: Asked = {}) {
    this.#asked = { ...asked };
  }

  // The answer for the address, else that of `ask`; so also when the early one failed or was a refusal.
  async take(address: string, ask: () => Promise<Response>): Promise<Response> {
    const early = this.#asked[address];
    delete this.#asked[address];
    const answer = await early?.catch(() => undefined);
    return answer?.ok ? answer : ask();
  }

  forget(): void {
    this.#asked = {};
  }
}
