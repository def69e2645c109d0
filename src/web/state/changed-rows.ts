/** The number of the last change by somebody else that arrived live, for each thing: `issue 12`. */
const numbers = new Map<string, number>();
let last = 0;

/** Remembers that somebody else has just changed something. Lists that are open show it for a moment. */
export function markChanged(kind: string, id: number): void {
  last += 1;
  numbers.set(`${kind} ${id}`, last);
}

export const lastChange = (): number => last;

/** Whether it was changed after `lastChange()` was `seen`. */
export const isChangedSince = (kind: string, id: string, seen: number): boolean =>
  (numbers.get(`${kind} ${id}`) ?? 0) > seen;
