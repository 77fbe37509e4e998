// Shows what the server pushes while no page is open, and opens the page that it is about.
self.addEventListener('push', (event) => {
  const { title = 'Dovepost', body = '', path = '/', tag } = event.data?.json() ?? {};
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { path }, icon: '/favicon.svg' }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.path ?? '/', self.location.origin).href;
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then(async (pages) => {
      const page = pages[0];
      if (page === undefined) return self.clients.openWindow(url);
      await page.focus();
      return page.navigate(url).catch(() => self.clients.openWindow(url));
    }),
  );
});
