import { useCommand } from "../keys/commands.ts";
import type { List } from "./use-list.ts";

type Options<Row> = {
  /** What a row is, in the singular: "error". */
  noun: string;
  onOpen: (row: Row) => void;
  maySelect: (row: Row) => boolean;
};

/** The keys that every list has: next, previous, open, preview, select, close. */
export function useListKeys<Row extends { id: number }>(
  list: List<Row>,
  { noun, onOpen, maySelect }: Options<Row>,
) {
  const { current, opened, selected } = list;
  useStepKeys(list, noun);
  useCommand("open", () => current && onOpen(current), { enabled: current !== undefined });
  useCommand("peek", () => (opened === null ? current && list.open(current.id) : list.close()), {
    label: opened === null ? "Peek" : "Close preview",
    enabled: opened !== null || current !== undefined,
  });
  useCommand("select", () => current && list.toggle(current.id), {
    enabled: current !== undefined && maySelect(current),
  });
  useCommand("close", () => (selected.length > 0 ? list.clearSelection() : list.close()), {
    label: selected.length > 0 ? "Clear selection" : "Close preview",
    enabled: selected.length > 0 || opened !== null,
  });
}

/** Next and previous alone, for a list without preview and selection. */
export function useStepKeys({ rows, step }: Pick<List<{ id: number }>, "rows" | "step">, noun: string) {
  useCommand("next", () => step(1), { label: `Next ${noun}`, enabled: rows.length > 0 });
  useCommand("previous", () => step(-1), { label: `Previous ${noun}`, enabled: rows.length > 0 });
}
