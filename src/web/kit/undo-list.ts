import { store } from "../state/store.ts";

export type Undoable = {
  /** Says what was done: "Report dismissed". */
  message: string;
  /** Called once: after the delay, or immediately when `leaving` the page (its request then needs `keepalive`). */
  run: (how: { leaving: boolean }) => void;
  /** Restores the page's state. */
  onUndo?: (() => void) | undefined;
  /** The default is 6. */
  seconds?: number | undefined;
};

export type Waiting = { id: number; message: string };

type Entry = Undoable &
  Waiting & { timer: ReturnType<typeof setTimeout> | undefined; until: number; left: number };

/** Actions that are delayed so that they can be undone. Each one either runs or is undone, once. */
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
    /** Pauses the countdown while the bar is hovered or focused. */
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
    /** Runs all pending actions now, in order. */
    flush(leaving: boolean): void {
      for (const { id } of entries) take(id)?.run({ leaving });
    },
    waiting,
  };
}
