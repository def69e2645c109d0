const WORKER = "/service-worker.js";

/** Lets the service worker keep the app's files. There is none without HTTPS, and the development server has no built files. */
export async function keepAppFiles(): Promise<void> {
  if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
  const isFirst = navigator.serviceWorker.controller === null;
  await navigator.serviceWorker.register(WORKER);
  if (!isFirst) return;
  const { active } = await navigator.serviceWorker.ready;
  // The worker has not seen the requests that this page made before.
  active?.postMessage({ files: performance.getEntriesByType("resource").map(({ name }) => name) });
}
