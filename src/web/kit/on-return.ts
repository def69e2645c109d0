/** Runs once if the browser restores the page from its back/forward cache. Call it when leaving the page. */
export function onReturn(run: () => void): void {
  addEventListener("pageshow", run, { once: true });
}
