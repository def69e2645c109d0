/** The server serves another version of the app than the one this page runs, so the page's remaining code is gone. */
export class OutdatedError extends Error {
  constructor() {
    super("Signalbox was updated. Reload the page to continue.");
  }
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

const waking = new Set<() => void>();

/**
 * Imports code, and keeps trying with growing pauses while it cannot be fetched. `onFailure` is called after each
 * failed attempt. Throws OutdatedError when trying again is pointless.
 */
export async function loadCode<T>(
  importCode: () => Promise<T>,
  onFailure: () => void,
  pause: (ms: number) => Promise<void> = pauseUntilWoken,
): Promise<T> {
  for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(ms * 2, MAX_PAUSE_MS)) {
    try {
      return await importCode();
    } catch {
      if (await isOutdated()) {
        await forgetFiles();
        throw new OutdatedError();
      }
      onFailure();
    }
    await pause(ms);
  }
}

/** Ends the pauses between attempts: someone waits for the code, or the connection is back. */
export function retryLoading(): void {
  for (const wake of waking) wake();
}

function pauseUntilWoken(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      removeEventListener("online", wake);
      waking.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    addEventListener("online", wake);
    waking.add(wake);
  });
}

/** Whether the server's page no longer names the script that this page runs. False while the server does not answer. */
async function isOutdated(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>("script[type=module][src]");
  if (script === null) return false;
  try {
    const answer = await fetch("/", { headers: { accept: "text/html" }, cache: "no-store" });
    return answer.ok && !(await answer.text()).includes(new URL(script.src).pathname);
  } catch {
    return false;
  }
}

/** Makes the service worker load the page from the server: the one that it keeps is outdated as well. */
async function forgetFiles(): Promise<void> {
  // There is none without HTTPS.
  if (!("caches" in globalThis)) return;
  for (const name of await caches.keys()) if (name.startsWith("app ")) await caches.delete(name);
}
