// The limits of a change that lands without a question, with their defaults (docs/workspaces.md).
export const kLandLimits = [
  { name: 'deleted_files', label: 'Deleted files', usual: 10 },
  { name: 'deleted_percent', label: 'Deleted, in percent', usual: 20 },
  { name: 'emptied_files', label: 'Emptied files', usual: 0 },
  { name: 'reverted_files', label: 'Reverted files', usual: 0 },
  { name: 'outside_touches', label: 'Outside touches', usual: 0 },
  { name: 'test_lines', label: 'Lines of tests that go', usual: 40 },
  { name: 'generated_files', label: 'Generated files', usual: 0 },
  { name: 'lock_files', label: 'Lock files alone', usual: 0 },
  { name: 'secret_files', label: 'Secrets', usual: 0 },
  { name: 'lines', label: 'Lines', usual: 10_000 },
  { name: 'bytes', label: 'Bytes', usual: 5_000_000 },
  { name: 'binary_files', label: 'Binary files', usual: 5 },
  { name: 'submodules', label: 'Submodules', usual: 0 },
  { name: 'check_files', label: 'Checks and CI', usual: 0 },
] as const;
