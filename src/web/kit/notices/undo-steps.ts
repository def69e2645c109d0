/** Takes a change back. The promise, if any, settles when the server has answered. */
export type Undo = () => unknown;

/** A change that has begun. Call one of these once for each of its parts. */
export type Change = {
  /** The part is saved. Without `undo` it cannot be undone. `notice` is the notice that offers to undo the change. */
  done: (undo?: Undo, notice?: number) => void;
  /** The part is not saved. */
  failed: () => void;
};

type Step = {
  begunAt: number;
  /** Parts without an answer. */
  open: number;
  saved: boolean;
  undos: Undo[];
  /** Set if it had an undo. */
  nothing?: NothingUndone | undefined;
  notice?: number | undefined;
  /** The notice that says that the change will be undone. */
  waiting?: number | undefined;
};

type Notices = {
  remove: (notice: number) => void;
  /** A change will be undone when it is saved. */
  showWaiting: () => number;
  showNothing: (reason: NothingUndone) => void;
};

/**
 * Why nothing is undone: no change was made (`none`) or the last one was made too long ago (`expired`); it failed, it has no undo
 * (`final`), or it was `delayed` and has been carried out.
 */
export type NothingUndone = "none" | "expired" | "failed" | "final" | "delayed";

const MAX_STEPS = 50;

/** Nobody expects Ctrl+Z to take back what they did longer ago. The server keeps what it needs as long. */
const MAX_AGE_MS = 10 * 60_000;

/**
 * The changes that can be undone, in the order in which they began, not in the order of the answers. A change in flight
 * is undone once it is saved. Changes are undone one at a time, because an undo compares with what the previous one left.
 */
export function undoSteps({ remove, showWaiting, showNothing }: Notices) {
  let steps: Step[] = [];
  let chosen: Step[] = [];
  let isUndoing = false;

  const set = (next: Step[]) => {
    steps = next.slice(-MAX_STEPS);
  };
  const drop = (step: Step) => set(steps.filter((one) => one !== step));
  const hide = (notice: number | undefined) => notice !== undefined && remove(notice);

  const undoChosen = async () => {
    if (isUndoing) return;
    isUndoing = true;
    for (let [step] = chosen; step !== undefined && step.open === 0; [step] = chosen) {
      chosen = chosen.slice(1);
      hide(step.notice);
      if (step.undos.length === 0) showNothing(step.nothing ?? (step.saved ? "final" : "failed"));
      for (const undo of step.undos.toReversed()) await undo();
      hide(step.waiting);
    }
    isUndoing = false;
  };
  const choose = (step: Step) => {
    drop(step);
    hide(step.notice);
    if (step.open > 0) step.waiting = showWaiting();
    chosen.push(step);
    void undoChosen();
  };

  return {
    begin(parts = 1): Change {
      const step: Step = { begunAt: Date.now(), open: parts, saved: false, undos: [] };
      set([...steps, step]);
      const end = () => {
        step.open--;
        if (step.open > 0) return;
        if (step.undos.length === 0) drop(step);
        void undoChosen();
      };
      return {
        done(undo, notice) {
          step.saved = true;
          step.notice ??= notice;
          if (undo) step.undos.push(undo);
          end();
        },
        failed: end,
      };
    },
    undoLast() {
      const step = steps.at(-1);
      if (step === undefined) return showNothing("none");
      if (step.open > 0 || Date.now() - step.begunAt <= MAX_AGE_MS) return choose(step);
      set([]);
      return showNothing("expired");
    },
    undoOf(notice: number) {
      const step = steps.find((one) => one.notice === notice);
      if (step !== undefined) choose(step);
    },
    /** The delayed change of this notice was carried out. It can now be undone with `undo`, or no longer. */
    carriedOut(notice: number, undo: Undo | undefined) {
      const step = steps.find((one) => one.notice === notice);
      if (step === undefined) return;
      step.undos = undo === undefined ? [] : [undo];
      step.nothing = "delayed";
    },
  };
}
