/** Runs once, should the browser show the page again as it was left: out of its back/forward cache. Called on leaving. */
export function onReturn(run: () => void): void {
  addEventListener("pageshow", run, { once: true });
}
