import { store } from "../state/store.ts";

export type Undoable = {
  /** What will have happened: "Report dismissed". */
  message: string;
  /** Does it, once: after the time, or at once when `leaving` the page (a request then needs `keepalive`). */
  run: (how: { leaving: boolean }) => void;
  /** Puts the screen back as it was. */
  onUndo?: (() => void) | undefined;
  /** 6 unless said otherwise. */
  seconds?: number | undefined;
};

export type Waiting = { id: number; message: string };

type Entry = Undoable &
  Waiting & { timer: ReturnType<typeof setTimeout> | undefined; until: number; left: number };

/** Actions that wait a moment, so that they can be taken back before they happen. Each of them runs or is undone, once. */
export function undoList() {
  let entries: Entry[] = [];
  let last = 0;
  const waiting = store<readonly Waiting[]>([]);

  const set = (next: Entry[]) => {
    entries = next;
    waiting.set(next.map(({ id, message }) => ({ id, message })));
  };
  const take = (id: number) => {
    const entry = entries.find((one) => one.id === id);
    if (entry === undefined) return undefined;
    clearTimeout(entry.timer);
    set(entries.filter((one) => one !== entry));
    return entry;
  };
  const start = (entry: Entry) => {
    entry.until = Date.now() + entry.left;
    entry.timer = setTimeout(() => take(entry.id)?.run({ leaving: false }), entry.left);
  };

  return {
    add(action: Undoable): void {
      const entry: Entry = {
        ...action,
        id: ++last,
        timer: undefined,
        until: 0,
        left: (action.seconds ?? 6) * 1000,
      };
      set([...entries, entry]);
      start(entry);
    },
    undo(id: number): void {
      take(id)?.onUndo?.();
    },
    /** The time stands still while somebody reads, and goes on where it stopped. */
    hold(id: number): void {
      const entry = entries.find((one) => one.id === id);
      if (entry?.timer === undefined) return;
      clearTimeout(entry.timer);
      entry.timer = undefined;
      entry.left = Math.max(0, entry.until - Date.now());
    },
    go(id: number): void {
      const entry = entries.find((one) => one.id === id);
      if (entry !== undefined && entry.timer === undefined) start(entry);
    },
    /** Runs everything now, in order. */
    flush(leaving: boolean): void {
      for (const { id } of entries) take(id)?.run({ leaving });
    },
    waiting,
  };
}
