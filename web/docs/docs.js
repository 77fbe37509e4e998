// The documentation's behaviour: theme, copying, search, the reader's own key.
(function () {
  const origin = location.origin;
  const placeholderOrigin = 'https://dovepost.example';

  for (const code of document.querySelectorAll('.prose code')) replaceText(code, placeholderOrigin, origin);
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  for (const code of document.querySelectorAll('pre code')) replaceText(code, 'IN_AN_HOUR', inAnHour);

  function replaceText(element, from, to) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.data.includes(from)) node.data = node.data.replaceAll(from, to);
    }
  }

  document.querySelector('[data-theme-switch]')?.addEventListener('click', () => {
    const root = document.documentElement;
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = isDark ? 'light' : 'dark';
    try {
      localStorage.setItem('dovepost.theme', root.dataset.theme);
    } catch {
      // Storage is blocked: the choice lasts as long as the page.
    }
  });

  for (const button of document.querySelectorAll('[data-copy]')) {
    button.addEventListener('click', () => void copyExample(button));
  }

  async function copyExample(button) {
    const shown = [...button.closest('.code').querySelectorAll('pre')].find((each) => each.checkVisibility());
    try {
      await navigator.clipboard.writeText(shown.textContent);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not copied';
    }
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  }

  /** A language that was chosen once is chosen in every example of the page. */
  for (const radio of document.querySelectorAll('.code-tabs input')) {
    radio.addEventListener('change', () => {
      for (const other of document.querySelectorAll('.code-tabs input')) {
        if (other.value === radio.value) other.checked = true;
      }
    });
  }

  const line = document.querySelector('[data-own-key]');
  const session = readSession();
  if (line && session?.token && document.querySelector('pre code')?.closest('main')?.textContent.includes('YOUR_')) {
    line.hidden = false;
    line.querySelector('button').addEventListener('click', () => void showOwnKey(line, session));
  }

  function readSession() {
    try {
      return JSON.parse(localStorage.getItem('dovepost.session'));
    } catch {
      return null;
    }
  }

  /** Asked for now, shown on this page alone, stored nowhere. */
  async function showOwnKey(place, { token, currentProjectId }) {
    const told = place.querySelector('[role=status]');
    try {
      const ask = async (path) => {
        const response = await fetch(path, { headers: { authorization: token } });
        if (!response.ok) throw new Error((await response.json()).message);
        return response.json();
      };
      const [{ user }, { data }] = await Promise.all([ask('/api/user/me'), ask('/api/projects')]);
      const project = data.find(({ id }) => id === currentProjectId) ?? data[0];
      for (const code of document.querySelectorAll('pre code')) {
        replaceText(code, 'YOUR_API_KEY', user.api_key);
        if (project) replaceText(code, 'YOUR_AUTH_KEY', project.auth_key);
        if (project) replaceText(code, 'PROJECT_ID', String(project.id));
      }
      told.textContent = project
        ? `The examples use the keys of ${project.name}.`
        : 'Create a project to have its key here.';
      place.querySelector('button').hidden = true;
    } catch (error) {
      told.textContent = `Your keys could not be read: ${error.message}`;
    }
  }

  const dialog = document.querySelector('#find');
  const input = dialog?.querySelector('input');
  const list = dialog?.querySelector('ul');
  let entries;

  async function openSearch() {
    dialog.showModal();
    input.select();
    try {
      entries ??= await (await fetch('/docs/search.json')).json();
      show();
    } catch {
      list.replaceChildren(item('The search could not be read. Try again.'));
    }
  }

  function item(text) {
    const entry = document.createElement('li');
    entry.textContent = text;
    return entry;
  }

  function show() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const score = ({ title, text }) =>
      words.every((word) => `${title} ${text}`.toLowerCase().includes(word))
        ? words.filter((word) => title.toLowerCase().includes(word)).length + 1
        : 0;
    const found = entries
      .map((entry) => ({ entry, rank: score(entry) }))
      .filter(({ rank }) => rank > 0)
      .toSorted((a, b) => b.rank - a.rank)
      .slice(0, 12);
    list.replaceChildren(
      ...found.map(({ entry: { title, text, kind, path } }) => {
        const row = document.createElement('li');
        const link = document.createElement('a');
        const name = document.createElement('b');
        const summary = document.createElement('small');
        const what = document.createElement('i');
        link.href = path;
        name.textContent = title;
        summary.textContent = text;
        what.textContent = kind;
        link.append(name, what, summary);
        link.addEventListener('click', () => dialog.close());
        row.append(link);
        return row;
      }),
    );
    if (found.length === 0) list.replaceChildren(item('Nothing found.'));
  }

  if (dialog) {
    document.querySelector('[data-search]').addEventListener('click', () => void openSearch());
    dialog.querySelector('[data-close]').addEventListener('click', () => dialog.close());
    input.addEventListener('input', () => entries && show());
    dialog.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && event.target === input) list.querySelector('a')?.click();
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      const stops = [input, ...list.querySelectorAll('a')];
      const next = stops[stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)];
      next?.focus();
      event.preventDefault();
    });
    addEventListener('keydown', (event) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void openSearch();
      }
    });
  }
})();
