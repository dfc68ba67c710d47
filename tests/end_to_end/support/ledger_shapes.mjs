// Repositories of odd shapes, what an agent does in each, and what must come of it. `make` is a person's shell script in a repository that
// has `a.txt` and `b.txt`, `deed` the agent's one before it says that it is done. A shape with `blocked` blocks its task with that reason;
// any other one lands. `main` is a command in the repository and what it prints at the end.
const kRoot = process.getuid() === 0 && 'root reads every file';

const kSeal = `printf '#!/bin/sh\\nbase64 | rev\\n' > "$PWD-seal"; chmod +x "$PWD-seal"
git config filter.seal.clean "$PWD-seal"; git config filter.seal.smudge cat; git config filter.seal.required true
echo 'vault/** filter=seal' > .gitattributes; git add .; git commit -qm attributes`;
const kConflict = `git checkout -q -b side; echo side > a.txt; git commit -qam side
git checkout -q -; echo own > a.txt; git commit -qam own`;
const kTwoCommits = 'echo x > f; git add f; git commit -qm one; echo y > g; git add g; git commit -qm two';
const kNotRun = (path, filter) => new RegExp(`^1 path of the work is left out: ${path} \\(its filter "${filter}" is not run by Andon; allow it with: .*--filters ${filter}\\)\\. Nothing is lost: it is in .*; put it right, then: andon unblock \\d+$`);
const kNested = /1 path of the work is left out: web\/? \(it is a git repository of its own; remove the \.git in it, or list it in \.gitignore\)/;
const kFiles = 'git ls-tree -r --name-only HEAD';

export const kShapes = {
  'sealed': { make: kSeal, deed: 'mkdir vault; echo secret > vault/p', blocked: kNotRun('vault/p', 'seal'), unseen: 'secret' },
  'sealed, committed by the agent': {
    make: kSeal, deed: 'mkdir vault; echo secret > vault/p; git add vault/p; git commit -qm vault',
    blocked: kNotRun('vault/p', 'seal'), unseen: 'secret',
  },
  'sealed, without its attributes': {
    make: kSeal, deed: 'mkdir vault; echo secret > vault/p; git rm -q .gitattributes; git add vault/p; git commit -qm vault',
    blocked: kNotRun('vault/p', 'seal'), unseen: 'secret',
  },
  'sealed, and removed by a later commit': {
    make: kSeal, deed: 'mkdir vault; echo secret > vault/p; git add vault/p; git commit -qm vault; git rm -q vault/p; git commit -qm removed; echo x > f',
    blocked: kNotRun('vault/p', 'seal'), unseen: 'secret',
  },
  'large': {
    make: `printf '#!/bin/sh\\nsha256sum\\n' > "$PWD-pointer"; chmod +x "$PWD-pointer"; git config filter.lfs.clean "$PWD-pointer"; git config filter.lfs.required true
echo '*.bin filter=lfs -text' > .gitattributes; git add .; git commit -qm attributes`,
    deed: 'head -c 20000 /dev/urandom > n.bin', blocked: kNotRun('n.bin', 'lfs'),
  },
  'nested without commits': { deed: 'mkdir web; cd web; git init -q; echo p > i', blocked: kNested },
  'nested with commits': { deed: 'mkdir web; cd web; git init -q; echo p > i; git add i; git commit -qm p', blocked: kNested },
  'nested beside a commit': { deed: 'echo x > f; git add f; git commit -qm f; git init -q web; echo p > web/i', blocked: kNested },
  'nested as a submodule without a place': {
    deed: 'mkdir web; cd web; git init -q; echo p > i; git add i; git commit -qm p; cd ..; git add web 2>/dev/null; git commit -qm web',
    blocked: /the submodule web is set to [0-9a-f]+, which .* cannot be asked for: it has no such submodule/,
  },
  'the empty folder of a submodule': {
    make: 'git init -q -b main "$PWD-lib"; (cd "$PWD-lib"; echo l > l; git add l; git commit -qm l); git -c protocol.file.allow=always submodule --quiet add "$PWD-lib" lib; git commit -qm lib',
    deed: 'echo x > lib/new', blocked: /1 path of the work is left out: lib\/? \(it is the folder of a submodule that is not checked out/,
  },
  'a lock': { deed: 'echo x > f; touch .git/index.lock', main: ['cat f', 'x'] },
  'a lock beside a commit': { deed: 'echo x > f; git add f; git commit -qm f; echo y > g; touch .git/index.lock', main: ['cat f g', 'x\ny'] },
  'detached': { deed: 'git checkout -q --detach; echo x > f', main: ['cat f', 'x'] },
  'detached with a commit': { deed: 'git checkout -q --detach; echo x > f; git add f; git commit -qm f; echo y > g', main: ['cat f g', 'x\ny'] },
  'outside a sparse cone': {
    make: 'mkdir in out; echo 1 > in/i; echo 1 > out/o; git add .; git commit -qm folders',
    deed: 'git sparse-checkout set in; mkdir -p out; echo x > out/f; echo 2 > in/i', main: [`${kFiles}; cat out/f out/o in/i`, 'a.txt\nb.txt\nin/i\nout/f\nout/o\nx\n1\n2'],
  },
  'encoded': {
    make: "echo '*.odd working-tree-encoding=UTF-16LE' > .gitattributes; git add .; git commit -qm attributes",
    deed: 'printf abc > odd.odd; echo z > fine', blocked: /^1 path of the work is left out: odd\.odd \(git add: .*odd\.odd/,
  },
  'line ends that git refuses': {
    make: 'git config core.autocrlf input; git config core.safecrlf true', deed: "printf 'a\\r\\nb\\r\\n' > ends; echo z > fine",
    blocked: /^1 path of the work is left out: ends \(git add: CRLF would be replaced by LF in ends\)/,
  },
  'merging': { deed: `${kConflict}; git merge side || true`, blocked: /a\.txt \(a merge is not finished in its work tree\)/ },
  'a rebase with a conflict': { deed: `${kConflict}; git rebase side || true`, blocked: /\(a rebase is not finished in its work tree\)/ },
  'a rebase that waits': {
    deed: `${kTwoCommits}; GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -q -i HEAD~2`,
    blocked: /^1 path of the work is left out: \. \(a rebase is not finished in its work tree\)/,
  },
  'picks that wait': {
    deed: `${kConflict}; git checkout -q side; echo z > z; git add z; git commit -qm z; git checkout -q -; git cherry-pick side~ side || true
echo both > a.txt; git add a.txt; git commit -qm both`,
    blocked: /^1 path of the work is left out: \. \(a cherry-pick is not finished in its work tree\)/,
  },
  'an unreadable file': { skip: kRoot, deed: 'echo x > f; chmod 000 f; echo y > g', blocked: /^1 path of the work is left out: f \(git add: .*Permission denied/ },
  'an unreadable directory': { skip: kRoot, deed: 'mkdir d; echo x > d/f; chmod 000 d', blocked: /^1 path of the work is left out: d\/? \(git ls-files: .*Permission denied/ },
  'rules of the agent': { deed: 'mkdir -p .git/info; echo "only*" > .git/info/exclude; echo x > only.txt', main: ['cat only.txt', 'x'] },
  'an empty index': { deed: 'echo x > f; git rm -q -r --cached .', main: [`${kFiles}; cat f`, 'a.txt\nb.txt\nf\nx'] },
  'hidden changes': { deed: 'git update-index --assume-unchanged a.txt; echo x > a.txt; git update-index --skip-worktree b.txt; echo y > b.txt', main: ['cat a.txt b.txt', 'x\ny'] },
  'a copied file': {
    make: "echo .env > .gitignore; git add .; git commit -qm rules; echo 'KEY=a-secret-value' > .env", board: { copy: ['.env'] },
    deed: 'cat .env > /dev/null; echo x > f', main: [`${kFiles}; cat f .env`, '.gitignore\na.txt\nb.txt\nf\nx\nKEY=a-secret-value'], unseen: 'a-secret-value',
  },
  'linked': { make: 'git worktree add -q -b feature "$PWD-linked"', repo: 'REPO-linked', deed: 'echo x > f', main: ['cat "$PWD-linked/f"; ls', 'x\na.txt\nb.txt'] },
  'mono': { make: 'mkdir -p packages/app; echo 1 > packages/app/x; git add .; git commit -qm app', repo: 'packages/app', deed: 'echo x > f; echo y > ../g', main: ['cat packages/app/f packages/g', 'x\ny'] },
  'named': { make: 'git branch andon', board: { branch_prefix: 'agents' }, deed: 'echo x > f', main: ['cat f', 'x'] },
  'stale': { make: 'git checkout -q -b develop; echo d > stale; git add .; git commit -qm d', board: { branch: 'develop' }, deed: 'ls > list', main: ['git show develop:list; git ls-tree --name-only main', 'a.txt\nb.txt\nlist\nstale\na.txt\nb.txt'] },
};
