// Shows push messages and opens their links. It caches nothing and answers no requests.
self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data.json();
  } catch {
    // Browsers require a notification for every push.
  }
  const { title = "New notification", path = "/notifications" } = message;
  event.waitUntil(
    self.registration.showNotification(title, { icon: "/icon-192.png", tag: path, data: { path } }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.path, self.location.origin);
  // A link never leads to another site.
  if (url.origin !== self.location.origin) return;
  event.waitUntil(self.clients.openWindow(url.href));
});
