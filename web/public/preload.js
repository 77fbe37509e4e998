// Fetches what the page at this address is made of beside the entry, not after it has run. The build writes the list.
(function () {
  try {
    var list = document.getElementById('page-files');
    if (list === null || localStorage.getItem('dovepost.session') === null) return;
    var pages = JSON.parse(list.textContent);
    var path = Object.keys(pages.paths).find(function (pattern) {
      return new RegExp('^' + pattern.replace(/\$\w+/g, '\\d+') + '/?$').test(location.pathname);
    });
    (pages.paths[path] || []).forEach(function (index) {
      var link = document.createElement('link');
      link.rel = 'modulepreload';
      link.crossOrigin = '';
      link.href = pages.files[index];
      document.head.append(link);
    });
  } catch {
    // The entry fetches them as well, only later.
  }
})();
