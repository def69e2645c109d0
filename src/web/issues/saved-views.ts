import { stored } from "../state/stored.ts";

/** A named view: a part of the address. Stored on this device. */
export type SavedView = { name: string; search: Record<string, string> };

const MAX_VIEWS = 50;

const NONE: readonly SavedView[] = [];

const viewsOf = (page: string) =>
  stored(`views:${page}`, (value) => (Array.isArray(value) ? value.filter(isView) : undefined), NONE);

/** The views saved for a page, such as `issues:WEB`, sorted by name. */
export function savedViews(page: string): readonly SavedView[] {
  return viewsOf(page).read();
}

/** Saves a view, replacing one of the same name. Returns the views as they are now. */
export function saveView(page: string, view: SavedView): readonly SavedView[] {
  return store(page, [...savedViews(page).filter(({ name }) => name !== view.name), view]);
}

export function removeView(page: string, name: string): readonly SavedView[] {
  return store(
    page,
    savedViews(page).filter((view) => view.name !== name),
  );
}

function store(page: string, views: readonly SavedView[]): readonly SavedView[] {
  const sorted = views.toSorted((a, b) => a.name.localeCompare(b.name)).slice(0, MAX_VIEWS);
  viewsOf(page).write(sorted);
  return sorted;
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  const { name, search } = value as Partial<SavedView>;
  return typeof name === "string" && typeof search === "object" && search !== null;
}
