import { store } from "../state/store.ts";

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
  undo?: (() => void) | undefined;
  /**
   * Does what the title says. Called once, when the notice disappears without undo, or immediately when `leaving` the
   * page (its request then needs `keepalive`).
   */
  run?: ((how: { leaving: boolean }) => void) | undefined;
};

export type Shown = Pick<Notice, "title" | "description" | "tone" | "action" | "progress"> & {
  id: number;
  mayUndo: boolean;
};

type Entry = Notice & {
  id: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  until: number;
  left: number;
};

/** Something that can be undone; `notice` is the notice that offers it. */
type Step = { undo: () => void; notice: number | undefined };

const MAX_STEPS = 50;

/** Notices with their timers, and the steps that can be undone. */
export function noticeList() {
  let entries: Entry[] = [];
  let steps: Step[] = [];
  let last = 0;
  const shown = store<readonly Shown[]>([]);
  const mayUndo = store(false);

  const set = (next: Entry[]) => {
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
  const setSteps = (next: Step[]) => {
    steps = next.slice(-MAX_STEPS);
    mayUndo.set(steps.length > 0);
  };
  const take = (id: number) => {
    const entry = entries.find((one) => one.id === id);
    if (entry === undefined) return undefined;
    clearTimeout(entry.timer);
    set(entries.filter((one) => one !== entry));
    return entry;
  };
  /** Without undo. What has been sent can only be undone if it was not delayed. */
  const finish = (id: number, leaving = false) => {
    const entry = take(id);
    if (entry?.run === undefined) return;
    setSteps(steps.filter(({ notice }) => notice !== id));
    entry.run({ leaving });
  };
  const start = (entry: Entry) => {
    if (entry.left === 0) return;
    entry.until = Date.now() + entry.left;
    entry.timer = setTimeout(() => finish(entry.id), entry.left);
  };
  const undoStep = (step: Step | undefined) => {
    if (step === undefined) return;
    setSteps(steps.filter((one) => one !== step));
    if (step.notice !== undefined) take(step.notice);
    step.undo();
  };

  return {
    add(notice: Notice): void {
      const subjects = subjectsOf(notice);
      const sameProgress = notice.progress && entries.find((one) => one.progress && isAbout(one, subjects));
      if (sameProgress) {
        // Update it in place, so that its button keeps the focus.
        set(entries.map((one) => (one === sameProgress ? Object.assign(one, notice) : one)));
        return;
      }
      for (const earlier of entries) if (isAbout(earlier, subjects)) finish(earlier.id);
      const { seconds = notice.tone === "danger" || notice.progress ? 0 : 6 } = notice;
      const entry: Entry = { ...notice, id: ++last, timer: undefined, until: 0, left: seconds * 1_000 };
      set([...entries, entry]);
      if (notice.undo) setSteps([...steps, { undo: notice.undo, notice: entry.id }]);
      start(entry);
    },
    /** Makes `undoLast` undo a change that was shown without a notice. */
    remember(undo: () => void): void {
      setSteps([...steps, { undo, notice: undefined }]);
    },
    close: (id: number) => finish(id),
    undo: (id: number) => undoStep(steps.find(({ notice }) => notice === id)),
    undoLast: () => undoStep(steps.at(-1)),
    /** Pauses the countdown while the notice is hovered or focused. */
    hold(id: number): void {
      const entry = entries.find((one) => one.id === id);
      if (entry?.timer === undefined) return;
      clearTimeout(entry.timer);
      entry.timer = undefined;
      entry.left = Math.max(1, entry.until - Date.now());
    },
    go(id: number): void {
      const entry = entries.find((one) => one.id === id);
      if (entry !== undefined && entry.timer === undefined) start(entry);
    },
    /** Runs all delayed actions now, in order. */
    flush(leaving: boolean): void {
      for (const { id, run } of entries) if (run) finish(id, leaving);
    },
    shown,
    mayUndo,
  };
}

const isAbout = (notice: Notice, subjects: readonly string[]) =>
  subjectsOf(notice).some((subject) => subjects.includes(subject));

const subjectsOf = ({ subjects, title, description = "" }: Notice) => subjects ?? [`${title} ${description}`];
