import { store } from "../state/store.ts";

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
  /** Parts without an answer. */
  open: number;
  saved: boolean;
  undos: Undo[];
  notice?: number | undefined;
  /** The notice that says that the change will be undone. */
  waiting?: number | undefined;
};

type Notices = {
  remove: (notice: number) => void;
  /** A change will be undone when it is saved. */
  showWaiting: () => number;
  /** There is nothing to undo: the change has failed, or it has no undo. */
  showNothing: (saved: boolean) => void;
};

const MAX_STEPS = 50;

/**
 * The changes that can be undone, in the order in which they began, not in the order of the answers. A change in flight
 * is undone once it is saved. Changes are undone one at a time, because an undo compares with what the previous one left.
 */
export function undoSteps({ remove, showWaiting, showNothing }: Notices) {
  let steps: Step[] = [];
  let chosen: Step[] = [];
  let isUndoing = false;
  const mayUndo = store(false);

  const set = (next: Step[]) => {
    steps = next.slice(-MAX_STEPS);
    mayUndo.set(steps.length > 0);
  };
  const drop = (step: Step) => set(steps.filter((one) => one !== step));
  const hide = (notice: number | undefined) => notice !== undefined && remove(notice);

  const undoChosen = async () => {
    if (isUndoing) return;
    isUndoing = true;
    for (let [step] = chosen; step !== undefined && step.open === 0; [step] = chosen) {
      chosen = chosen.slice(1);
      hide(step.notice);
      if (step.undos.length === 0) showNothing(step.saved);
      for (const undo of step.undos.toReversed()) await undo();
      hide(step.waiting);
    }
    isUndoing = false;
  };
  const choose = (step: Step | undefined) => {
    if (step === undefined) return;
    drop(step);
    hide(step.notice);
    if (step.open > 0) step.waiting = showWaiting();
    chosen.push(step);
    void undoChosen();
  };

  return {
    begin(parts = 1): Change {
      const step: Step = { open: parts, saved: false, undos: [] };
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
    undoLast: () => choose(steps.at(-1)),
    undoOf: (notice: number) => choose(steps.find((step) => step.notice === notice)),
    /** The change of this notice can no longer be undone. */
    forget: (notice: number) => set(steps.filter((step) => step.notice !== notice)),
    mayUndo,
  };
}
