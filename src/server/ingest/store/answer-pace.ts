/** Milliseconds between answers that are spread evenly. */
const STEP_MS = 1;

/** Callers spend time on their results, so at most `perTurn` of them get theirs in one turn of the event loop. */
export type AnswerPace = {
  perTurn: number;
  /** Spreads the answers evenly over this time. Without it, they are given as soon as possible. */
  overMs?: number;
};

/** Calls `answer` for the places from 0 to `count` in order. */
export function answerAll(count: number, pace: AnswerPace, answer: (place: number) => void): void {
  const start = performance.now();
  const answerFrom = (from: number) => {
    const to = Math.min(count, from + pace.perTurn, placesDue(count, pace, performance.now() - start));
    for (let place = from; place < to; place++) answer(place);
    if (to === count) return;
    if (pace.overMs === undefined) setImmediate(answerFrom, to);
    else setTimeout(answerFrom, STEP_MS, to);
  };
  answerFrom(0);
}

const placesDue = (count: number, { overMs }: AnswerPace, passed: number): number =>
  overMs === undefined ? count : Math.ceil((count * (passed + STEP_MS)) / overMs);
