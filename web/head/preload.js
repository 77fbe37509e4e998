// Fetches what the page at this address is made of beside the entry, not after it has run. The build writes the list.
(function () {
  try {
    var list = JSON.parse(document.getElementById('page-files').textContent);
    var path = Object.keys(list.pages).find(function (pattern) {
      return new RegExp('^' + pattern.replace(/\$\w+/g, '\\d+') + '/?$').test(location.pathname);
    });
    // A stranger is sent to sign in.
    if (localStorage.getItem('dovepost.session') === null && !list.open.includes(path)) path = '/login';
    (list.pages[path] || []).forEach(function (index) {
      var link = document.createElement('link');
      link.rel = 'modulepreload';
      link.crossOrigin = '';
      link.href = list.files[index];
      document.head.append(link);
    });
  } catch {
    // The entry fetches them as well, only later.
  }
})();
