// Runs before the first paint and before the page's modules are there: sets the theme, and asks for what the first
// view shows. The answers wait in `andonAsked` for src/sync/early_answers.ts, under the addresses that Api asks for.
(function () {
  function kept(name) {
    try {
      return localStorage.getItem('andon.' + name);
    } catch (refused) {
      return null;
    }
  }
  var headers = { Accept: 'application/json' };
  var secret = kept('secret');
  if (secret) headers.Authorization = 'Bearer ' + secret;
  var asked = (window.andonAsked = {});
  function ask(path) {
    var answer = fetch('/api/v1' + path, { headers: headers, credentials: 'same-origin' });
    answer.catch(function () {});
    asked['/api/v1' + path] = answer;
  }
  function boardHere() {
    var named = /^\/b\/([^/]+)/.exec(location.pathname);
    // The board of a task is not known yet.
    return named ? named[1] : location.pathname.indexOf('/t/') === 0 ? null : kept('board');
  }

  var chosen = kept('theme');
  var light = window.matchMedia('(prefers-color-scheme: light)').matches;
  document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : light ? 'light' : 'dark';

  // A sign-in link is redeemed first.
  if (/[#&]code=/.test(location.hash)) return;
  try {
    var board = boardHere();
    ask('/boards');
    if (board) ask('/boards/' + encodeURIComponent(decodeURIComponent(board)) + '/snapshot?done=50&column_max=500');
  } catch (unreadable) {
    return;
  }
})();
