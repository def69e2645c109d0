const tasks = new Set<() => void>();

function runAll() {
  for (const task of tasks) task();
}

/**
 * Calls `task` whenever the page is left, to send what is still pending. It has to use requests that outlive the page, whose
 * responses it cannot read. Returns a function that stops this.
 */
export function onLeaving(task: () => void): () => void {
  tasks.add(task);
  // The same function is added only once.
  addEventListener("pagehide", runAll);
  return () => void tasks.delete(task);
}

/** Runs once if the browser restores the page from its back/forward cache. Call it when leaving the page. */
export function onReturn(run: () => void): void {
  addEventListener("pageshow", run, { once: true });
}
