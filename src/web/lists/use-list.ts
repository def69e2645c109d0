import { type RefObject, useMemo, useReducer, useRef } from "react";
import { announce } from "../kit/notices/live-region.ts";
import {
  cursorOf,
  type ListState,
  nextAfter,
  reduceList,
  type RowId,
  startList,
  stepFrom,
} from "./list-state.ts";
import { type FocusFallback, type ListHandle, useListFocus } from "./use-list-focus.ts";

type Options<Row> = {
  /** As shown, from the top. */
  rows: readonly Row[];
  /** The id of the row that the address says is open beside the list. */
  opened?: RowId | null;
  /** Puts an id in the address, or removes it. */
  onOpen?: (id: RowId | null) => void;
  /** Where the cursor is at first. */
  startAt?: RowId | null;
  focusFallback?: FocusFallback;
};

export type List<Row extends { id: RowId }> = {
  rows: readonly Row[];
  /** The row that the keys act on; undefined until `J`, a click or Tab reaches one. */
  current: Row | undefined;
  opened: RowId | null;
  open: (id: RowId | null) => void;
  /** Closes what is open and focuses its row. */
  close: () => void;
  selected: readonly Row[];
  isSelected: (id: RowId) => boolean;
  /** With `range`, all rows from the one toggled last to this one. */
  toggle: (id: RowId, range?: boolean) => void;
  select: (rows: readonly Row[]) => void;
  clearSelection: () => void;
  /** Moves the cursor by one row; what is open follows. */
  step: (by: 1 | -1) => void;
  moveTo: (id: RowId) => void;
  /** Sets the cursor without moving the focus, for example because a row was focused. */
  setCursor: (id: RowId) => void;
  /**
   * Call it when an action has dealt with rows: they are deselected, and cursor, focus and what is open go on to the
   * next row. With `stay`, the rows remain in the list.
   */
  advancePast: (handled: readonly RowId[], options?: { stay: boolean }) => void;
  /** Focuses the row of the cursor once `ready` holds. */
  focusWhen: (ready?: (state: ListState) => boolean) => void;
  /** The row that Tab reaches. */
  tabStop: RowId | null;
  handle: RefObject<ListHandle | null>;
};

/** Cursor, selection, preview and focus of a list. The keys are bound by `useListKeys`. */
export function useList<Row extends { id: RowId }>({
  rows,
  opened = null,
  onOpen = () => {},
  startAt = null,
  focusFallback,
}: Options<Row>): List<Row> {
  const handle = useRef<ListHandle>(null);
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const [state, dispatch] = useReducer(reduceList, undefined, () => startList(ids, opened, startAt));
  // Check the open row first: it may have moved on from a row that is gone.
  if (!Object.is(state.opened, opened)) dispatch({ type: "opened", id: opened });
  if (!isSame(state.ids, ids)) dispatch({ type: "rows", ids });
  const { focusWhen, cancelFocus } = useListFocus({ handle, state, fallback: focusFallback });

  const cursor = cursorOf(state);
  const current = cursor === null ? undefined : rows.find(({ id }) => id === cursor);
  const selected = useMemo(() => rows.filter(({ id }) => state.selected.has(id)), [rows, state.selected]);
  const moveTo = (id: RowId) => {
    cancelFocus();
    dispatch({ type: "cursor", id });
    if (opened !== null && opened !== id) onOpen(id);
    handle.current?.focusRow(id);
  };

  return {
    rows,
    current,
    opened,
    open: (id) => {
      if (id !== null) dispatch({ type: "cursor", id });
      onOpen(id);
    },
    close: () => {
      onOpen(null);
      focusWhen((now) => now.opened === null);
    },
    selected,
    isSelected: (id) => state.selected.has(id),
    toggle: (id, range = false) => {
      dispatch({ type: "toggle", id, range });
      announce(`${reduceList(state, { type: "toggle", id, range }).selected.size} selected.`);
    },
    select: (some) => dispatch({ type: "select", ids: some.map(({ id }) => id) }),
    clearSelection: () => dispatch({ type: "select", ids: [] }),
    step: (by) => {
      const next = stepFrom(state, by);
      if (next !== null) moveTo(next);
    },
    moveTo,
    setCursor: (id) => {
      if (id !== state.cursor) dispatch({ type: "cursor", id });
    },
    advancePast: (handled, { stay } = { stay: false }) => {
      const next = nextAfter(state, handled, stay);
      const leaving = stay ? [] : handled.filter((id) => state.ids.includes(id));
      const opensNext = opened !== null && handled.includes(opened);
      dispatch({ type: "handled", ids: handled, next });
      if (opensNext) onOpen(next);
      focusWhen((now) => !leaving.some((id) => now.ids.includes(id)) && (!opensNext || now.opened === next));
    },
    focusWhen,
    tabStop: cursor ?? ids[0] ?? null,
    handle,
  };
}

function isSame(a: readonly RowId[], b: readonly RowId[]): boolean {
  return a === b || (a.length === b.length && a.every((id, index) => id === b[index]));
}
