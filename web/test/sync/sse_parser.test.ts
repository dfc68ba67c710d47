import { expect, test } from 'vitest';
import { SseParser } from '../../src/sync/sse_parser.ts';

test('reads messages however the text is cut', () => {
  const text = ': hb\n\nretry: 1500\r\n\r\nid: e1.7\nevent: ops\ndata: {"a":\ndata: 1}\n\nevent: hello\ndata: x\r\n\r\n';
  for (let size = 1; size <= text.length; size += 1) {
    const parser = new SseParser();
    const messages = [];
    for (let at = 0; at < text.length; at += size) messages.push(...parser.push(text.slice(at, at + size)));
    expect(messages).toEqual([
      { event: 'ops', data: '{"a":\n1}', lastId: 'e1.7' },
      { event: 'hello', data: 'x', lastId: 'e1.7' },
    ]);
  }
});
