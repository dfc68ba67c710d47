// Words of the wire that the server does not list, and what people read of them.

export const kHues = ['azure', 'green', 'violet', 'rose', 'amber', 'teal', 'magenta', 'orange', 'indigo', 'lime', 'cyan', 'slate'] as const;

export interface Choice {
  value: string;
  label: string;
  says?: string;
}

export const kPermissions: readonly Choice[] = [
  { value: 'readonly', label: 'Read only', says: 'The agent reads and changes nothing.' },
  { value: 'edit', label: 'Edit', says: 'The agent changes files of its work tree and runs what its profile allows.' },
  { value: 'ask', label: 'Ask', says: 'The agent works, and asks you on the board before each step that needs a permission.' },
  { value: 'full', label: 'Full', says: 'The agent does everything in its sandbox without asking.' },
];

export const kConversations: readonly Choice[] = [
  { value: 'fresh', label: 'A new one for every run' },
  { value: 'task', label: 'One for all runs of a task' },
  { value: 'worker', label: 'One for the worker on each board' },
];

export const kReviewers: readonly Choice[] = [
  { value: 'person', label: 'A person' },
  { value: 'checks', label: 'The checks' },
  { value: 'role:', label: 'A worker of a role' },
];

export const kReviews: readonly Choice[] = [
  { value: 'inherit', label: 'As the board says' },
  { value: 'required', label: 'Required' },
  { value: 'none', label: 'None' },
];

export const kLandings: readonly Choice[] = [
  { value: 'auto', label: 'The server, one piece after the other' },
  { value: 'off', label: 'A person' },
];
