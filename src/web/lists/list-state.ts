export type RowId = number;

/** Where the keyboard is in a list, and what is selected. Rows are known by their ids, so nothing depends on positions. */
export type ListState = {
  /** The rows as shown, from the top. */
  ids: readonly RowId[];
  /** The row that the keys act on; null until one is reached. It may name a row that is still to appear. */
  cursor: RowId | null;
  /** Set while the opened row has left the list: the index of the row that follows it. The cursor is null then. */
  gap: number | null;
  /** The row that is open beside the list. */
  opened: RowId | null;
  selected: ReadonlySet<RowId>;
  /** The row that was selected or deselected last: a range starts there. */
  rangeStart: RowId | null;
};

export type ListAction =
  | { type: "rows"; ids: readonly RowId[] }
  | { type: "opened"; id: RowId | null }
  | { type: "cursor"; id: RowId | null }
  | { type: "toggle"; id: RowId; range: boolean }
  | { type: "select"; ids: readonly RowId[] }
  | { type: "handled"; ids: readonly RowId[]; next: RowId | null };

export function startList(ids: readonly RowId[], opened: RowId | null, cursor: RowId | null): ListState {
  return { ids, cursor: opened ?? cursor, gap: null, opened, selected: NONE, rangeStart: null };
}

export function reduceList(state: ListState, action: ListAction): ListState {
  switch (action.type) {
    case "rows":
      return withRows(state, action.ids);
    case "opened":
      return action.id === null
        ? { ...state, opened: null, cursor: state.cursor ?? gapRow(state), gap: null }
        : { ...state, opened: action.id, cursor: action.id, gap: null };
    case "cursor":
      return { ...state, cursor: action.id, gap: null };
    case "toggle":
      return withToggled(state, action.id, action.range);
    case "select":
      return { ...state, selected: new Set(action.ids), rangeStart: null };
    case "handled":
      return { ...state, cursor: action.next, gap: null, selected: without(state.selected, action.ids) };
  }
}

/** The row of the cursor, if it is listed. */
export function cursorOf({ ids, cursor }: ListState): RowId | null {
  return cursor !== null && ids.includes(cursor) ? cursor : null;
}

/**
 * The row one step down or up. The first step reaches the first row, and the cursor stops at both ends. Null in an
 * empty list.
 */
export function stepFrom(state: ListState, by: 1 | -1): RowId | null {
  const { ids, gap } = state;
  if (gap !== null) return ids[by === 1 ? gap : gap - 1] ?? gapRow(state);
  const cursor = cursorOf(state);
  if (cursor === null) return ids[0] ?? null;
  return ids[ids.indexOf(cursor) + by] ?? cursor;
}

/**
 * The row to go on to once `handled` rows are dealt with: the next one that is not among them, else the one before. The
 * cursor stays where it is when its own row is not handled, unless one other row was handled by its menu. With `stay`
 * the handled rows remain in the list.
 */
export function nextAfter(state: ListState, handled: readonly RowId[], stay = false): RowId | null {
  const { ids, opened } = state;
  const cursor = cursorOf(state);
  const isHandled = cursor !== null && handled.includes(cursor);
  if (cursor !== null && !isHandled && (handled.length > 1 || opened !== null)) return cursor;
  const last = Math.max(...handled.map((id) => ids.indexOf(id)));
  const from = isHandled ? ids.indexOf(cursor) : last;
  if (from === -1) return cursor ?? gapRow(state);
  if (stay) return ids.slice(from + 1).find((id) => !handled.includes(id)) ?? ids[from] ?? null;
  return nearest(ids, from, (id) => !handled.includes(id));
}

/** The first row after `index` for which `remains` holds, else the last one before it. */
function nearest(ids: readonly RowId[], index: number, remains: (id: RowId) => boolean): RowId | null {
  return ids.slice(index + 1).find(remains) ?? ids.slice(0, index).findLast(remains) ?? null;
}

function gapRow({ ids, gap }: ListState): RowId | null {
  return gap === null ? null : (ids[gap] ?? ids[gap - 1] ?? null);
}

/** The rows changed, by a filter, an action or a live update. The cursor stays on its row, or goes to the nearest. */
function withRows(state: ListState, ids: readonly RowId[]): ListState {
  const listed = new Set(ids);
  const selected = [...state.selected].every((id) => listed.has(id))
    ? state.selected
    : new Set([...state.selected].filter((id) => listed.has(id)));
  const next = { ...state, ids, selected };
  if (state.gap !== null) return { ...next, gap: indexOfFollower(state.ids, state.gap, ids) };
  const { cursor } = state;
  if (cursor === null || listed.has(cursor)) return next;
  const index = state.ids.indexOf(cursor);
  if (index === -1) return next;
  if (cursor === state.opened)
    return { ...next, cursor: null, gap: indexOfFollower(state.ids, index + 1, ids) };
  return { ...next, cursor: nearest(state.ids, index, (id) => listed.has(id)) };
}

/** The index in `ids` of the first row at or after `index` of the old list that is still there. */
function indexOfFollower(old: readonly RowId[], index: number, ids: readonly RowId[]): number {
  const follower = old.slice(index).find((id) => ids.includes(id));
  return follower === undefined ? ids.length : ids.indexOf(follower);
}

/** With `range`, all rows from the one toggled last to this one get the state that this one gets. */
function withToggled(state: ListState, id: RowId, range: boolean): ListState {
  const isOn = !state.selected.has(id);
  const touched = range ? rowsBetween(state.ids, state.rangeStart, id) : [id];
  const selected = isOn ? new Set([...state.selected, ...touched]) : without(state.selected, touched);
  return { ...state, selected, rangeStart: id };
}

function rowsBetween(ids: readonly RowId[], start: RowId | null, end: RowId): readonly RowId[] {
  const from = start === null ? -1 : ids.indexOf(start);
  const to = ids.indexOf(end);
  return from === -1 ? [end] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
}

function without(selected: ReadonlySet<RowId>, ids: readonly RowId[]): ReadonlySet<RowId> {
  return new Set([...selected].filter((id) => !ids.includes(id)));
}

const NONE: ReadonlySet<RowId> = new Set();
