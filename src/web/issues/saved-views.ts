/** A view somebody named: the part of the address that makes it. Kept on this device. */
export type SavedView = { name: string; search: Record<string, string> };

const MOST_VIEWS = 50;

/** The views saved for a page, such as `issues:WEB`, in the order of their names. */
export function savedViews(page: string): SavedView[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(storageKey(page)) ?? "[]");
    return Array.isArray(read) ? read.filter(isView) : [];
  } catch {
    // Storage is closed, or holds something else: there are none.
    return [];
  }
}

/** Keeps a view; one of the same name is replaced. */
export function saveView(page: string, view: SavedView): SavedView[] {
  return store(page, [...savedViews(page).filter(({ name }) => name !== view.name), view]);
}

export function removeView(page: string, name: string): SavedView[] {
  return store(
    page,
    savedViews(page).filter((view) => view.name !== name),
  );
}

function store(page: string, views: SavedView[]): SavedView[] {
  const kept = views.toSorted((a, b) => a.name.localeCompare(b.name)).slice(0, MOST_VIEWS);
  try {
    localStorage.setItem(storageKey(page), JSON.stringify(kept));
  } catch {
    // Storage is closed: they hold until the page is left.
  }
  return kept;
}

const storageKey = (page: string) => `views:${page}`;

function isView(value: unknown): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  const { name, search } = value as Partial<SavedView>;
  return typeof name === "string" && typeof search === "object" && search !== null;
}
