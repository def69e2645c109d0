/** `EventSource.CLOSED`: the browser will not reconnect. */
const CLOSED = 2;

/** Pauses between new connections: each twice the one before. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

export type SourceEvents = {
  /** `missedChanges`: the server does not replay what happened while there was no connection. */
  open: (missedChanges: boolean) => void;
  /** `isRejected`: the server answered, but not with a stream. */
  lost: (isRejected: boolean) => void;
  message: (data: string) => void;
  reset: () => void;
};

/**
 * A server-sent event stream that always reconnects. After a lost connection the browser reconnects by itself, and the
 * server replays what was missed. After an HTTP error (the server starts or stops, or limits the rate) the browser gives
 * up, so this opens a new stream. Returns how to close it.
 */
export function openSource(
  url: string,
  events: SourceEvents,
  connectTo: (url: string) => EventSource = (to) => new EventSource(to),
): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rejections = 0;
  let missedChanges = false;

  const connect = () => {
    source = connectTo(url);
    source.addEventListener("open", () => {
      events.open(missedChanges);
      rejections = 0;
      missedChanges = false;
    });
    source.addEventListener("error", () => {
      const isRejected = source.readyState === CLOSED;
      events.lost(isRejected);
      if (!isRejected) return;
      missedChanges = true;
      timer = setTimeout(connect, pauseAfter(rejections++));
    });
    source.addEventListener("message", ({ data }: MessageEvent<string>) => events.message(data));
    source.addEventListener("reset", events.reset);
  };
  connect();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

/** Random between half and all of the pause, so that clients rejected together do not come back together. */
function pauseAfter(rejections: number): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** rejections);
  return pause * (0.5 + Math.random() / 2);
}
