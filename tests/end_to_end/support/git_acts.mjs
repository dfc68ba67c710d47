// What an agent can do to git beside its work: shell commands by name, run in its work tree. $REPO is the person's repository, $OTHER
// another one of theirs, $CLONE the objects that the tree borrows, and $MARK a file that no program of the agent may make.
const kForeign = 'foreign=$(commit_of foreign.txt foreign main)';
const rewritten = (object, objects = '.git/objects') => `
of=$(git rev-parse ${object}); by=$(echo evil | git hash-object -w --stdin)
mkdir -p ${objects}/$(dir_of $of); cp -f .git/objects/$(dir_of $by)/$(name_of $by) ${objects}/$(dir_of $of)/$(name_of $of)`;
const settings = (...pairs) => pairs.map(([name, value]) => `git config ${name} "${value}"`).join('\n');

export const kPrelude = `
dir_of() { echo "$1" | cut -c1-2; }
name_of() { echo "$1" | cut -c3-; }
# A commit that has one more file than its parent: NAME TEXT PARENT.
commit_of() {
  blob=$(echo "$2" | git hash-object -w --stdin)
  git commit-tree -m "$2" -p "$3" $( (git ls-tree "$3"; printf '100644 blob %s\\t%s\\n' $blob "$1") | git mktree)
}
# Programs that git could start for somebody else. The agent's own git changes nothing by them.
spy=$PWD/.git/spy
plant_spy() {
  printf '#!/bin/sh\\n[ -n "$ANDON_TASK" ] || { touch "%s"; touch "%s/planted.txt"; }\\nexit 0\\n' "$MARK" "$PWD" >$spy
  chmod +x $spy
}
`;

export const kOwnActs = {
  'a commit on main': `${kForeign}; git update-ref refs/heads/main $foreign`,
  'a commit on main behind skip-worktree': `${kForeign}; git update-ref refs/heads/main $foreign; git update-index --skip-worktree a.txt`,
  'a commit on main behind assume-unchanged': `${kForeign}; git update-ref refs/heads/main $foreign; git update-index --assume-unchanged b.txt`,
  'moved branches': 'git branch -f other HEAD; git update-ref refs/remotes/origin/unpushed HEAD; git update-ref refs/remotes/origin/main HEAD',
  'deleted branches': 'git update-ref -d refs/heads/main; git for-each-ref --format="delete %(refname)" refs/remotes | git update-ref --stdin',
  'moved tags': 'git tag -f v1 HEAD; git tag new-tag',
  'deleted tags': 'git for-each-ref --format="delete %(refname)" refs/tags | git update-ref --stdin',
  'stashes': 'echo stashed >>a.txt; git stash -q; echo more >>a.txt; git stash -q; git stash drop -q; git stash clear',
  'a pruned history': 'git reflog expire --expire=now --all; git gc -q --prune=now; git prune --expire=now',
  'a detached HEAD': 'git checkout -q --detach',
  'a HEAD at main': 'git symbolic-ref HEAD refs/heads/main',
  'a HEAD at a branch that is not there': 'git symbolic-ref HEAD refs/heads/nowhere',
  'a HEAD at a ref of the person': 'echo "ref: refs/remotes/origin/unpushed" >.git/HEAD',
  'a HEAD that is a link': 'rm -f .git/HEAD; ln -s "$REPO/.git/HEAD" .git/HEAD',
  'a HEAD of garbage': 'echo garbage >.git/HEAD',
  'an empty index': 'git rm -q -r --cached .',
  'an index of garbage': 'echo garbage >.git/index',
  'locks left behind': 'touch .git/index.lock .git/HEAD.lock .git/packed-refs.lock .git/config.lock .git/refs/heads/main.lock',
  'remotes': settings(['remote.origin.url', 'ext::sh -c $spy'], ['remote.origin.pushurl', '$OTHER'], ['remote.evil.url', '$REPO'], ['url.$OTHER.insteadOf', '$REPO']),
  'a promised object': settings(['extensions.partialClone', 'evil'], ['remote.evil.promisor', 'true'], ['remote.evil.url', 'ext::sh -c $spy']),
  'a file system monitor': `plant_spy; ${settings(['core.fsmonitor', '$spy'])}`,
  'a path of hooks': `plant_spy; mkdir -p .git/own; for name in pre-commit post-commit reference-transaction post-checkout post-merge post-index-change pre-push; do cp $spy .git/own/$name; done; ${settings(['core.hooksPath', '$PWD/.git/own'])}`,
  'hooks': 'plant_spy; mkdir -p .git/hooks; for name in pre-commit post-commit reference-transaction post-checkout post-rewrite pre-auto-gc update fsmonitor-watchman; do cp $spy .git/hooks/$name; done',
  'a work tree elsewhere': settings(['core.worktree', '$REPO']),
  'included settings of the person': settings(['include.path', '$REPO/.git/config']),
  'included settings of the agent': `plant_spy; git config -f .git/more core.fsmonitor $spy; git config -f .git/more core.hooksPath $REPO/.git/hooks; ${settings(['include.path', 'more'])}`,
  'filters': `plant_spy; ${settings(['filter.x.clean', '$spy'], ['filter.x.smudge', '$spy'], ['filter.x.process', '$spy'], ['diff.x.textconv', '$spy'], ['diff.external', '$spy'], ['merge.x.driver', '$spy'])}; mkdir -p .git/info; echo '* filter=x diff=x merge=x' >.git/info/attributes`,
  'aliases and programs': `plant_spy; ${settings(['alias.status', '!$spy'], ['core.pager', '$spy'], ['core.editor', '$spy'], ['core.sshCommand', '$spy'], ['core.askPass', '$spy'], ['gpg.program', '$spy'], ['commit.gpgSign', 'true'], ['credential.helper', '!$spy'], ['core.alternateRefsCommand', '$spy'], ['uploadpack.packObjectsHook', '$spy'])}`,
  'a format of the future': settings(['core.repositoryFormatVersion', '99']),
  'another object format': settings(['core.repositoryFormatVersion', '1'], ['extensions.objectFormat', 'sha256']),
  'settings that are a directory': 'rm -f .git/config; mkdir .git/config',
  'a bare repository': settings(['core.bare', 'true']),
  'excluded files': 'mkdir -p .git/info; echo "*" >.git/info/exclude',
  'rewritten packed-refs': `${kForeign}; { echo "# pack-refs with: sorted"; echo "$foreign refs/heads/main"; echo "$foreign refs/remotes/origin/main"; echo "$(git rev-parse HEAD) $(git symbolic-ref HEAD)"; echo "$foreign refs/tags/v1"; } >packed; mv packed .git/packed-refs`,
  'packed-refs of garbage': 'printf "%s refs/heads/a\\nb\\n%s refs/heads/../../x\\ngarbage\\n" $(git rev-parse HEAD HEAD) >>.git/packed-refs',
  'a shallow file': 'git rev-parse HEAD >.git/shallow',
  'a commit-graph of garbage': 'git commit-graph write --reachable; chmod -R u+w .git/objects/info; for f in .git/objects/info/commit-graph; do printf "\\377\\377\\377\\377" | dd of=$f bs=1 seek=200 conv=notrunc status=none; done',
  'a commit-graph with other parents': `rm -f .git/objects/info/commit-graph; ${kForeign}; git replace --graft HEAD $foreign; git commit-graph write --reachable; git replace -d HEAD`,
  'objects of another repository': 'echo "$OTHER/.git/objects" >>.git/objects/info/alternates',
  'objects of the person': 'echo "$REPO/.git/objects" >.git/objects/info/alternates',
  'no borrowed objects': 'rm .git/objects/info/alternates',
  'a link to the objects of the person': 'rm -rf .git/objects/00; ln -s "$REPO/.git/objects" .git/objects/00',
  'grafts': 'mkdir -p .git/info; git rev-parse HEAD >.git/info/grafts',
  'a replaced commit': `${kForeign}; git replace -f HEAD $foreign`,
  'a replaced file': 'git replace -f $(git rev-parse main:a.txt) $(echo evil | git hash-object -w --stdin)',
  'records of other work trees': 'mkdir -p .git/worktrees/x; echo "$REPO/.git" >.git/worktrees/x/gitdir; echo ../.. >.git/worktrees/x/commondir; echo "ref: refs/heads/main" >.git/worktrees/x/HEAD',
  'a common directory of the person': 'echo "$REPO/.git" >.git/commondir',
  'settings of a work tree': 'git config extensions.worktreeConfig true; git config --worktree core.worktree "$REPO"',
  'a module with hooks': 'mkdir -p .git/modules; git init -q .git/modules/sub; plant_spy; git -C .git/modules/sub config core.fsmonitor $spy',
  'a nested repository': 'plant_spy; git init -q sub; cp $spy sub/.git/hooks/post-commit; git -C sub config core.fsmonitor $spy; cd sub; git -c core.fsmonitor= commit -q --allow-empty -m sub',
  'a nested repository without commits': 'git init -q empty-sub',
  'a file of main under its name': rewritten('main:a.txt'),
  'a commit of main under its name': rewritten('main'),
  'the work under its name': rewritten('HEAD:$(git ls-tree --name-only HEAD | grep work- | head -1)'),
  'a damaged pack': 'git repack -q -a -d; chmod u+w .git/objects/pack/*.pack; for f in .git/objects/pack/*.pack; do printf "\\377\\377\\377\\377" | dd of=$f bs=1 seek=40 conv=notrunc status=none; done',
  'an index of a pack of garbage': 'git repack -q -a -d; chmod u+w .git/objects/pack/*.idx; for f in .git/objects/pack/*.idx; do truncate -s 100 $f; done',
  'two gigabytes of ignored files': 'mkdir -p waste; echo "*" >waste/.gitignore; truncate -s 2G waste/waste.big',
  'two gigabytes of loose garbage': 'mkdir -p .git/objects/aa; truncate -s 2G .git/objects/aa/tmp_obj_waste; truncate -s 1G .git/objects/aa/00000000000000000000000000000000000000',
  'two gigabytes that call themselves a pack': 'truncate -s 2G .git/objects/pack/pack-0000000000000000000000000000000000000000.pack; truncate -s 1M .git/objects/pack/pack-0000000000000000000000000000000000000000.idx',
  'refs with hostile names': `at=$(git rev-parse HEAD); echo $at >.git/refs/heads/-x; echo $at >.git/refs/heads/a..lock; echo $at >.git/refs/heads/$(printf '%0240d' 0); echo $at >".git/refs/heads/new
line"; echo $at >'.git/refs/heads/$(touch x)'; mkdir -p .git/refs/remotes/origin; echo $at >.git/refs/remotes/origin/-f`,
  'refs that are links': 'ln -s "$REPO/.git/refs/heads/main" .git/refs/heads/linked; ln -s "$REPO/.git/refs" .git/refs/person',
  'refs of garbage': 'echo garbage >.git/refs/heads/garbage; echo 0000000000000000000000000000000000000000 >.git/refs/heads/null; : >.git/refs/heads/empty; echo "ref: refs/heads/circle" >.git/refs/heads/circle',
  'no git directory': 'rm -rf .git',
  'a new git directory': 'rm -rf .git; git init -q -b main',
  'a link to the git directory of the person': 'rm -rf .git; ln -s "$REPO/.git" .git',
  'a file that names the git directory of the person': 'rm -rf .git; echo "gitdir: $REPO/.git" >.git',
  'a git directory that is a file': 'rm -rf .git; echo garbage >.git',
};

// What reaches beyond the work tree. Only the sandbox keeps an agent from it.
const person = (command) => `git -C "$REPO" ${command}`;

export const kOutwardActs = {
  'a commit in the checkout of the person': `echo evil >"$REPO/a.txt" && ${person('commit -qam evil')}`,
  'a moved main of the person': person('update-ref refs/heads/main HEAD~'),
  'a branch of the person': person('branch evil'),
  'a moved branch of the person': person('branch -f unpushed main'),
  'a deleted branch of the person': person('branch -D unpushed'),
  'a moved tag of the person': person('tag -f v1 unpushed'),
  'a deleted tag of the person': person('tag -d v1'),
  'a dropped stash of the person': person('stash drop'),
  'no stashes of the person': person('stash clear'),
  'no reflog of the person': person('reflog expire --expire=now --all'),
  'a pruned repository of the person': person('gc -q --prune=now'),
  'a HEAD of the person': person('symbolic-ref HEAD refs/heads/unpushed'),
  'an index of the person': person('update-index --skip-worktree a.txt'),
  'a remote of the person': person('remote add evil /nowhere'),
  'a setting of the person': person('config core.fsmonitor /bin/false'),
  'a hook of the person': 'echo evil >"$REPO/.git/hooks/pre-commit"',
  'excluded files of the person': 'echo evil >>"$REPO/.git/info/exclude"',
  'packed-refs of the person': 'echo evil >>"$REPO/.git/packed-refs"',
  'a shallow file of the person': 'echo evil >"$REPO/.git/shallow"',
  'alternates of the person': 'echo /nowhere >"$REPO/.git/objects/info/alternates"',
  'a replaced file of the person': person('replace main:a.txt main:b.txt'),
  'a work tree of the person': person('worktree add -q "$PWD/.git/elsewhere"'),
  'no work trees of the person': person('worktree remove --force ../linked'),
  'a lock of the person': 'touch "$REPO/.git/index.lock"',
  'an object of the person': 'of=$(git rev-parse main:a.txt); at="$REPO/.git/objects/$(dir_of $of)"; echo evil >$at/$(name_of $of) || echo evil >$at/new || rm $at/$(name_of $of)',
  'an object of the clone': 'for f in $CLONE/*/*; do echo evil >$f || rm -f $f; done',
  'a link to an object of the clone': 'for f in $CLONE/*/*; do ln $f .git/hard; done',
  'a ref of the clone': 'git rev-parse HEAD >$CLONE/../refs/heads/evil',
  'a setting of the clone': 'echo "[core] fsmonitor = /bin/false" >>$CLONE/../config',
  'a hook of the clone': 'mkdir -p $CLONE/../hooks && echo evil >$CLONE/../hooks/reference-transaction',
  'no repository of the person': 'rm -rf "$REPO/.git"',
};
