import type { Upload } from "../kit/upload-list.tsx";
import { type Store, store } from "../state/store.ts";

type SendOptions = { onProgress: (part: number) => void; signal: AbortSignal };

/** Called with the server's answer; the upload completes afterwards. */
type OnSent<A> = (answer: A) => Promise<unknown>;

type Options<A> = {
  send: (file: File, options: SendOptions) => Promise<A>;
  /** Why a file must not be sent, if so. */
  rejection: (file: File) => string | undefined;
  /** The message for what `send` threw. */
  messageFor: (error: unknown) => string;
};

type QueuedUpload<A> = Upload & { file: File; onSent: OnSent<A>; abort: AbortController | undefined };

/** Uploads files one at a time. Completed ones leave the list; failed ones stay until they are retried or removed. */
export function uploadQueue<A>({ send, rejection, messageFor }: Options<A>) {
  const entries = store<readonly QueuedUpload<A>[]>([]);
  let last = 0;
  const change = (id: string, changes: Partial<QueuedUpload<A>>) =>
    entries.set(entries.get().map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)));
  const remove = (id: string) => entries.set(entries.get().filter((entry) => entry.id !== id));

  const next = () => {
    if (entries.get().some(({ state }) => state === "sending")) return;
    const entry = entries.get().find(({ state }) => state === "waiting");
    if (entry !== undefined) void run(entry);
  };
  const run = async ({ id, file, onSent }: QueuedUpload<A>) => {
    const abort = new AbortController();
    change(id, { state: "sending", progress: 0, abort });
    try {
      const onProgress = (progress: number) => change(id, { progress });
      await onSent(await send(file, { signal: abort.signal, onProgress }));
      remove(id);
    } catch (error) {
      if (abort.signal.aborted) remove(id);
      else change(id, { state: "failed", progress: null, error: messageFor(error), abort: undefined });
    }
    next();
  };

  return {
    add(files: readonly File[], onSent: OnSent<A> = () => Promise.resolve()): void {
      const added = files.map((file): QueuedUpload<A> => {
        const error = rejection(file);
        const state = error === undefined ? "waiting" : "failed";
        const { name, size } = file;
        const shared = { id: String(++last), name, size, progress: null, state, file, onSent };
        return { ...shared, error, abort: undefined } as QueuedUpload<A>;
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
