import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

const kPerson = {
  PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_NAME: 'ann',
  GIT_AUTHOR_EMAIL: 'ann@example.org', GIT_COMMITTER_NAME: 'ann', GIT_COMMITTER_EMAIL: 'ann@example.org',
};

// A repository on `main` whose first commit has the files `a.txt` and `b.txt`.
export function makeRepository(place, name = 'repo') {
  const directory = place.path(name);
  mkdirSync(directory);
  const repository = {
    directory,
    // What a person's shell script says there.
    sh: (script) => execFileSync('/bin/sh', ['-ec', script], { cwd: directory, env: kPerson, encoding: 'utf8' }).trimEnd(),
  };
  repository.sh('git init -q -b main; echo one > a.txt; echo one > b.txt; git add .; git commit -qm first');
  return repository;
}

// The first line of an agent's script: git as that worker.
export const asWorker = 'export GIT_AUTHOR_NAME=$ANDON_WORKER GIT_AUTHOR_EMAIL=w@example.org GIT_COMMITTER_NAME=$ANDON_WORKER GIT_COMMITTER_EMAIL=w@example.org GIT_EDITOR=true';
