(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('andon.theme');
  } catch (refused) {
    chosen = null;
  }
  var light = window.matchMedia('(prefers-color-scheme: light)').matches;
  document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : light ? 'light' : 'dark';
})();
