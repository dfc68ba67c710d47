export interface SseMessage {
  event: string;
  data: string;
  // The cursor after this message: its own id, or the last one seen.
  lastId: string;
}

// Cuts a text/event-stream into messages, as the WHATWG HTML standard says in "Interpreting an event stream".
export class SseParser {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #lastId: string;

  constructor(lastId = '') {
    this.#lastId = lastId;
  }

  push(text: string): SseMessage[] {
    this.#rest += text;
    const messages: SseMessage[] = [];
    // A '\r' at the very end may be half of "\r\n".
    const whole = this.#rest.endsWith('\r') ? this.#rest.length - 1 : this.#rest.length;
    const lines = this.#rest.slice(0, whole).split(/\r\n|\n|\r/);
    this.#rest = lines.pop()! + this.#rest.slice(whole);
    for (const line of lines) {
      const message = line === '' ? this.#dispatch() : this.#field(line);
      if (message) messages.push(message);
    }
    return messages;
  }

  #field(line: string): undefined {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.#event = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.#lastId = value;
  }

  #dispatch(): SseMessage | undefined {
    const message = { event: this.#event || 'message', data: this.#data.join('\n'), lastId: this.#lastId };
    const isEmpty = this.#data.length === 0;
    this.#event = '';
    this.#data = [];
    return isEmpty ? undefined : message;
  }
}
