/** `EventSource.CLOSED`: the browser will not reconnect. */
const CLOSED = 2;

/** Pauses between new connections: each twice the one before. */
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 30_000;

const RETRY_MS = 1_000;

/** The server sends a heartbeat every 20 seconds. A connection that is silent for longer is dead. */
const SILENT_MS = 50_000;

/**
 * What a stream reports. `isRejected`: the server answered, but not with a stream. `reset`: changes may have been missed.
 * `account`: another user is signed in to this browser.
 */
export type Signal =
  | { type: "open" | "reset" | "heartbeat" | "account" }
  | { type: "lost"; isRejected: boolean }
  | { type: "change"; data: string };

export type Source = {
  close: () => void;
  /** Connects again now, unless it did within the last second: the connection may be dead without an error. */
  retry: () => void;
};

export type ConnectTo = (url: string) => EventSource;

/**
 * A server-sent event stream that always reconnects, and then continues after `position`, the id of the last event. After
 * a lost connection the browser reconnects by itself. After an HTTP error (the server starts or stops, or limits the
 * rate) the browser gives up, so this opens a new stream. `url` must have a query.
 */
export function openSource(
  url: string,
  position: string | undefined,
  onSignal: (signal: Signal, position: string | undefined) => void,
  connectTo: ConnectTo = (to) => new EventSource(to),
): Source {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let rejections = 0;
  let connectedAt = 0;
  let isFirst = true;

  const send = (signal: Signal) => onSignal(signal, position);
  const watch = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      lose(false);
      connect();
    }, SILENT_MS);
  };
  const lose = (isRejected: boolean) => {
    isFirst = false;
    send({ type: "lost", isRejected });
  };
  const listen = (type: string, signalOf: (data: string) => Signal) =>
    source.addEventListener(type, (event) => {
      const { data, lastEventId } = event as MessageEvent<string>;
      position = lastEventId || position;
      watch();
      send(signalOf(data));
    });
  const connect = () => {
    close();
    connectedAt = Date.now();
    source = connectTo(position === undefined ? url : `${url}&after=${encodeURIComponent(position)}`);
    watch();
    source.addEventListener("open", () => {
      rejections = 0;
      watch();
      send({ type: "open" });
      // The server cannot replay what happened since an attempt that failed before the first event.
      if (!isFirst && position === undefined) send({ type: "reset" });
    });
    source.addEventListener("error", () => {
      const isRejected = source.readyState === CLOSED;
      if (isRejected) {
        close();
        timer = setTimeout(connect, pauseAfter(rejections++));
      }
      lose(isRejected);
    });
    listen("message", (data) => ({ type: "change", data }));
    listen("reset", () => ({ type: "reset" }));
    listen("heartbeat", () => ({ type: "heartbeat" }));
  };
  const close = () => {
    clearTimeout(timer);
    clearTimeout(silence);
    source?.close();
  };
  connect();
  return {
    close,
    retry: () => {
      if (Date.now() - connectedAt < RETRY_MS) return;
      isFirst = false;
      rejections = 0;
      connect();
    },
  };
}

/** Random between half and all of the pause, so that clients rejected together do not come back together. */
function pauseAfter(rejections: number): number {
  const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** rejections);
  return pause * (0.5 + Math.random() / 2);
}
