import type { Upload } from "../kit/upload-list.tsx";
import { type Store, store } from "../state/store.ts";

type Sent = { onProgress: (part: number) => void; signal: AbortSignal };

type Options = {
  send: (file: File, how: Sent) => Promise<unknown>;
  /** Why a file is not even sent. */
  refusal: (file: File) => string | undefined;
  /** The words for what `send` threw. */
  wordsFor: (error: unknown) => string;
};

type Entry = Upload & { file: File; abort: AbortController | undefined };

/** Files on their way to one place, one after the other. What is done leaves the list; what failed stays until it is tried again or taken off. */
export function uploadQueue({ send, refusal, wordsFor }: Options) {
  const entries = store<readonly Entry[]>([]);
  let last = 0;
  const change = (id: string, changes: Partial<Entry>) =>
    entries.set(entries.get().map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)));
  const remove = (id: string) => entries.set(entries.get().filter((entry) => entry.id !== id));

  const next = () => {
    if (entries.get().some(({ state }) => state === "sending")) return;
    const entry = entries.get().find(({ state }) => state === "waiting");
    if (entry !== undefined) void run(entry);
  };
  const run = async ({ id, file }: Entry) => {
    const abort = new AbortController();
    change(id, { state: "sending", progress: 0, abort });
    try {
      await send(file, { signal: abort.signal, onProgress: (progress) => change(id, { progress }) });
      remove(id);
    } catch (error) {
      if (abort.signal.aborted) remove(id);
      else change(id, { state: "failed", progress: null, error: wordsFor(error), abort: undefined });
    }
    next();
  };

  return {
    add(files: readonly File[]): void {
      const added = files.map((file): Entry => {
        const error = refusal(file);
        const state = error === undefined ? "waiting" : "failed";
        const shared = { id: String(++last), name: file.name, size: file.size, progress: null, state, file };
        return { ...shared, error, abort: undefined } as Entry;
      });
      entries.set([...entries.get(), ...added]);
      next();
    },
    /** What is under way is broken off; the rest is taken off the list. */
    cancel(id: string): void {
      const entry = entries.get().find((one) => one.id === id);
      if (entry?.abort !== undefined && entry.state === "sending") entry.abort.abort();
      else remove(id);
    },
    /** What was refused for its type or size is refused again. */
    retry(id: string): void {
      const entry = entries.get().find((one) => one.id === id);
      if (entry?.state !== "failed") return;
      const error = refusal(entry.file);
      if (error === undefined) change(id, { state: "waiting", error: undefined });
      next();
    },
    uploads: entries as Pick<Store<readonly Upload[]>, "get" | "subscribe">,
  };
}
