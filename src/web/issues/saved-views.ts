import { stored } from "../state/stored.ts";

/** A view somebody named: the part of the address that makes it. Kept on this device. */
export type SavedView = { name: string; search: Record<string, string> };

const MOST_VIEWS = 50;

const NONE: readonly SavedView[] = [];

const keptFor = (page: string) =>
  stored(`views:${page}`, (value) => (Array.isArray(value) ? value.filter(isView) : undefined), NONE);

/** The views saved for a page, such as `issues:WEB`, sorted by name. */
export function savedViews(page: string): readonly SavedView[] {
  return keptFor(page).read();
}

/** Saves a view, replacing one of the same name. Returns the views as they are now. */
export function saveView(page: string, view: SavedView): readonly SavedView[] {
  return keep(page, [...savedViews(page).filter(({ name }) => name !== view.name), view]);
}

export function removeView(page: string, name: string): readonly SavedView[] {
  return keep(
    page,
    savedViews(page).filter((view) => view.name !== name),
  );
}

function keep(page: string, views: readonly SavedView[]): readonly SavedView[] {
  const kept = views.toSorted((a, b) => a.name.localeCompare(b.name)).slice(0, MOST_VIEWS);
  keptFor(page).write(kept);
  return kept;
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  const { name, search } = value as Partial<SavedView>;
  return typeof name === "string" && typeof search === "object" && search !== null;
}
