import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    // Of a session on the real server; empty against the fake.
    secret: string;
  }
}

// A sign-in code works once, so it is redeemed once for all test files.
export default async function signIn(project: TestProject): Promise<void> {
  const { ANDON_TEST_URL: url, ANDON_TEST_CODE: code } = process.env;
  project.provide('secret', url && code ? await redeem(url, code) : '');
}

async function redeem(url: string, code: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: url },
    body: JSON.stringify({ code }),
  });
  if (!response.ok) throw new Error(`The server refused the sign-in code: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { secret: string }).secret;
}
