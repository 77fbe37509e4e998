// Shows what the server pushes while no page is open, and opens the page that it is about.
self.addEventListener('push', (event) => {
  const { title = 'Dovepost', body = '', path = '/', tag } = event.data?.json() ?? {};
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { path }, icon: '/favicon.svg' }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(new URL(event.notification.data?.path ?? '/', self.location.origin).href));
});

// Leads to a page that is there already; else takes the one that was used last to it, or opens a new one.
async function show(url) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const addresses = await Promise.all(pages.map(addressOf));
  const there = pages[addresses.indexOf(url)];
  if (there !== undefined) return there.focus();
  const [page] = pages;
  if (page === undefined) return self.clients.openWindow(url);
  await page.focus();
  return page.navigate(url).catch(() => self.clients.openWindow(url));
}

const answersWithinMs = 500;

// Asked of the page, as its client goes on to name the address that it was loaded from. None where it does not answer.
function addressOf(page) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', ({ data }) => resolve(data));
    port1.start();
    setTimeout(resolve, answersWithinMs);
    page.postMessage('address?', [port2]);
  });
}
