// Runs before the first paint, so that a chosen theme never flashes; web/shared/theme.ts owns the choice.
(function () {
  try {
    var theme = localStorage.getItem('dovepost.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is blocked: the system's theme applies.
  }
})();
