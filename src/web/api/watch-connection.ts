import { onAnswer } from "./client.ts";

/** Shorter interruptions, such as a server restart, are not shown. */
const GAP_MS = 4_000;

/** The pause between attempts to reach the server. */
const PAUSE_MS = 2_000;

type Options = {
  onChange: (isLost: boolean) => void;
  /** Whether the server answers. */
  ask?: () => Promise<boolean>;
  /** The window. */
  page?: EventTarget;
};

/**
 * Says that the connection is lost once requests have failed for four seconds, or when the browser goes offline, but only
 * if the server really does not answer: a stream that is refused is not a lost connection. Says that it is back as soon
 * as any request is answered.
 */
export function watchConnection({ onChange, ask = askServer, page = window }: Options) {
  let isLost = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let answers = 0;
  let isOffline = false;

  const change = (next: boolean) => {
    if (isLost === next) return;
    isLost = next;
    onChange(next);
  };
  const stopWaiting = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const answered = () => {
    stopWaiting();
    answers++;
    change(false);
    // The event that says so can precede the end of the last connections.
    if (isOffline) timer = setTimeout(check, PAUSE_MS);
  };
  const check = () => void askAgain();
  const askAgain = async () => {
    stopWaiting();
    const current = ++attempt;
    const answersBefore = answers;
    const isReached = await ask();
    if (current !== attempt) return;
    if (isReached) return answered();
    // A response that was in flight when the connection broke, or one that arrived after it was restored.
    if (answers !== answersBefore) return check();
    change(true);
    timer = setTimeout(check, PAUSE_MS);
  };
  const failed = () => {
    if (!isLost) timer ??= setTimeout(check, GAP_MS);
  };
  const forget = onAnswer((isReached) => (isReached ? answered() : failed()));

  const changed = ({ type }: Event) => {
    isOffline = type === "offline";
    check();
  };
  for (const type of ["online", "offline"]) page.addEventListener(type, changed);
  return {
    answered,
    failed,
    /** Asks the server now, because someone waits for it. */
    check,
    close: () => {
      stopWaiting();
      attempt++;
      forget();
      for (const type of ["online", "offline"]) page.removeEventListener(type, changed);
    },
  };
}

async function askServer(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PAUSE_MS);
    return (await fetch("/api/health", { cache: "no-store", signal })).ok;
  } catch {
    return false;
  }
}
