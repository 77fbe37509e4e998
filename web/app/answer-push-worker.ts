/** Tells the worker that shows pushes where this page is: a click on one leads to a page that is there already. */
export function answerPushWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<unknown>) => {
    if (data === 'address?') ports[0]?.postMessage(location.href);
  });
  navigator.serviceWorker.startMessages();
}
