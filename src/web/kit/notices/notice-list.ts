import { store } from "../../state/store.ts";
import { type Change, type NothingUndone, type Undo, undoSteps } from "./undo-steps.ts";

export type Notice = {
  /** Says what was done, or what failed: "Report dismissed". */
  title: string;
  description?: string | undefined;
  tone?: "neutral" | "success" | "danger" | undefined;
  /**
   * What it is about, such as `issue:12`. It replaces earlier notices about any of these. Without subjects, it replaces
   * a notice with the same words.
   */
  subjects?: readonly string[] | undefined;
  action?: { label: string; onSelect: () => void } | undefined;
  /** Shown as a bar. The notice stays until another one replaces it. */
  progress?: { value: number; max: number } | undefined;
  /** How long it is shown; 0 until it is closed. The default is 6, or 0 for an error. */
  seconds?: number | undefined;
  /** Takes back what was done. Offered as a button, and by ⌘Z also after the notice has disappeared. */
  undo?: Undo | undefined;
  /** The change that the notice reports, if it was begun with `beginChange`. Adding the notice completes it with `undo`. */
  change?: Change | undefined;
  /**
   * Does what the title says. Called once, when the notice disappears without undo, or immediately when `leaving` the
   * page (its request then needs `keepalive`).
   */
  run?: ((how: { leaving: boolean }) => void) | undefined;
  /** Takes back what `run` did. Without it, nothing can be undone after `run`. */
  undoRun?: Undo | undefined;
};

export type Shown = Pick<Notice, "title" | "description" | "tone" | "action" | "progress"> & {
  id: number;
  mayUndo: boolean;
};

type PendingNotice = Notice & {
  id: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  until: number;
  left: number;
};

/** Notices with their timers, and the changes that can be undone. */
export function noticeList() {
  let entries: PendingNotice[] = [];
  let last = 0;
  const shown = store<readonly Shown[]>([]);

  const set = (next: PendingNotice[]) => {
    entries = next;
    shown.set(
      next.map(({ id, title, description, tone, action, progress, undo }) => ({
        id,
        title,
        description,
        tone,
        action,
        progress,
        mayUndo: undo !== undefined,
      })),
    );
  };
  const take = (id: number) => {
    const entry = entries.find((one) => one.id === id);
    if (entry === undefined) return undefined;
    clearTimeout(entry.timer);
    set(entries.filter((one) => one !== entry));
    return entry;
  };
  /** Removes the notice and runs its delayed action, if it has one. */
  const finish = (id: number, leaving = false) => {
    const entry = take(id);
    if (entry?.run === undefined) return;
    steps.carriedOut(id, entry.undoRun);
    entry.run({ leaving });
  };
  const start = (entry: PendingNotice) => {
    if (entry.left === 0) return;
    entry.until = Date.now() + entry.left;
    entry.timer = setTimeout(() => finish(entry.id), entry.left);
  };
  const add = (notice: Notice): number => {
    const subjects = subjectsOf(notice);
    const sameProgress = notice.progress && entries.find((one) => one.progress && isAbout(one, subjects));
    if (sameProgress) {
      // Update it in place, so that its button keeps the focus.
      set(entries.map((one) => (one === sameProgress ? Object.assign(one, notice) : one)));
      return sameProgress.id;
    }
    for (const earlier of entries) if (isAbout(earlier, subjects)) finish(earlier.id);
    const { seconds = notice.tone === "danger" || notice.progress ? 0 : 6 } = notice;
    const id = ++last;
    const entry: PendingNotice = { ...notice, id, timer: undefined, until: 0, left: seconds * 1_000 };
    set([...entries, entry]);
    start(entry);
    const change = notice.change ?? (notice.undo && steps.begin());
    change?.done(notice.undo, id);
    return id;
  };
  const steps = undoSteps({
    remove: take,
    showWaiting: () => add({ title: "Undoing…", subjects: ["undo"], seconds: 0 }),
    showNothing: (reason) => void add({ ...NOTHING[reason], subjects: ["undo"] }),
  });

  return {
    add,
    begin: steps.begin,
    close: (id: number) => finish(id),
    undo: steps.undoOf,
    undoLast: steps.undoLast,
    /** Pauses the countdown while the notice is hovered or focused. */
    hold(id: number): void {
      const entry = entries.find((one) => one.id === id);
      if (entry?.timer === undefined) return;
      clearTimeout(entry.timer);
      entry.timer = undefined;
      entry.left = Math.max(1, entry.until - Date.now());
    },
    resume(id: number): void {
      const entry = entries.find((one) => one.id === id);
      if (entry !== undefined && entry.timer === undefined) start(entry);
    },
    /** Runs all delayed actions now, in order. */
    flush(leaving: boolean): void {
      for (const { id, run } of entries) if (run) finish(id, leaving);
    },
    shown,
  };
}

const NOTHING: Record<NothingUndone, Pick<Notice, "title" | "description">> = {
  none: { title: "Nothing to undo" },
  expired: { title: "Nothing to undo", description: "The last change was more than ten minutes ago." },
  failed: { title: "Nothing undone", description: "The last change was not saved." },
  final: { title: "Nothing undone", description: "The last change can’t be undone." },
  delayed: { title: "Nothing undone", description: "The last change can no longer be undone." },
};

const isAbout = (notice: Notice, subjects: readonly string[]) =>
  subjectsOf(notice).some((subject) => subjects.includes(subject));

const subjectsOf = ({ subjects, title, description = "" }: Notice) => subjects ?? [`${title} ${description}`];
