import type { Upload } from "../kit/upload-list.tsx";
import { type Store, store } from "../state/store.ts";

type SendOptions = { onProgress: (part: number) => void; signal: AbortSignal };

type Options = {
  send: (file: File, options: SendOptions) => Promise<unknown>;
  /** Why a file must not be sent, if so. */
  rejection: (file: File) => string | undefined;
  /** The message for what `send` threw. */
  messageFor: (error: unknown) => string;
};

type Entry = Upload & { file: File; abort: AbortController | undefined };

/** Uploads files one at a time. Completed ones leave the list; failed ones stay until they are retried or removed. */
export function uploadQueue({ send, rejection, messageFor }: Options) {
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
      else change(id, { state: "failed", progress: null, error: messageFor(error), abort: undefined });
    }
    next();
  };

  return {
    add(files: readonly File[]): void {
      const added = files.map((file): Entry => {
        const error = rejection(file);
        const state = error === undefined ? "waiting" : "failed";
        const shared = { id: String(++last), name: file.name, size: file.size, progress: null, state, file };
        return { ...shared, error, abort: undefined } as Entry;
      });
      entries.set([...entries.get(), ...added]);
      next();
    },
    /** Aborts an upload, or removes it from the list. */
    cancel(id: string): void {
      const entry = entries.get().find((one) => one.id === id);
      if (entry?.abort !== undefined && entry.state === "sending") entry.abort.abort();
      else remove(id);
    },
    /** A file that was rejected for its type or size is rejected again. */
    retry(id: string): void {
      const entry = entries.get().find((one) => one.id === id);
      if (entry?.state !== "failed") return;
      const error = rejection(entry.file);
      if (error === undefined) change(id, { state: "waiting", error: undefined });
      next();
    },
    uploads: entries as Pick<Store<readonly (Upload & { file: File })[]>, "get" | "subscribe">,
  };
}
