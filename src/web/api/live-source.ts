/** Pauses between new connections: each twice the one before. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

type Heard = {
  /** `isAnew`: what happened since the connection before is not known and not told. */
  open: (isAnew: boolean) => void;
  /** `isRefused`: the server answered, but not with a stream. */
  lost: (isRefused: boolean) => void;
  message: (data: string) => void;
  reset: () => void;
};

/**
 * A stream that is taken up again whatever ends it. A lost connection the browser makes anew by itself, and is told what
 * it missed; after a refusal (a server that starts or stops, too many requests) it gives up for good, and we do not.
 */
export function openSource(url: string, heard: Heard): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let refusals = 0;
  let isAnew = false;

  const connect = () => {
    source = new EventSource(url);
    source.addEventListener("open", () => {
      heard.open(isAnew);
      refusals = 0;
      isAnew = false;
    });
    source.addEventListener("error", () => {
      const isRefused = source.readyState === EventSource.CLOSED;
      heard.lost(isRefused);
      if (!isRefused) return;
      isAnew = true;
      timer = setTimeout(connect, pauseAfter(refusals++));
    });
    source.addEventListener("message", ({ data }: MessageEvent<string>) => heard.message(data));
    source.addEventListener("reset", heard.reset);
  };
  connect();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

/** Between half of it and the whole, so that not all who were refused come back at once. */
function pauseAfter(refusals: number): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** refusals);
  return pause * (0.5 + Math.random() / 2);
}
