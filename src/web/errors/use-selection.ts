import { useMemo, useState } from "react";

/**
 * The ticked ones among the rows that are there; one that leaves the list is not ticked any more. With `range`, all
 * between the last one ticked and this one.
 */
export function useSelection(rows: readonly { id: number }[]) {
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const [last, setLast] = useState<number | null>(null);
  const ids = useMemo(() => new Set(rows.flatMap(({ id }) => (ticked.has(id) ? [id] : []))), [rows, ticked]);
  if (ids.size < ticked.size) setTicked(ids);

  const toggle = (id: number, range = false) => {
    const on = !ids.has(id);
    const next = new Set(ids);
    for (const one of range ? between(rows, last, id) : [id])
      if (on) next.add(one);
      else next.delete(one);
    setTicked(next);
    setLast(id);
  };
  return {
    ids,
    toggle,
    all: (on: boolean) => setTicked(new Set(on ? rows.map(({ id }) => id) : [])),
    clear: () => setTicked(new Set()),
  };
}

function between(rows: readonly { id: number }[], from: number | null, to: number): number[] {
  const a = rows.findIndex(({ id }) => id === from);
  const b = rows.findIndex(({ id }) => id === to);
  return (a === -1 ? rows.slice(b, b + 1) : rows.slice(Math.min(a, b), Math.max(a, b) + 1)).map(
    ({ id }) => id,
  );
}
