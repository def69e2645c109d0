import type { QueryClient } from "@tanstack/react-query";
import type { SavedView } from "../../shared/saved-views.ts";
import { saveView } from "../data/projects/change-views.ts";
import { stored } from "../state/stored.ts";
import { searchOf } from "./view-address.ts";

/** Earlier versions stored views in the browser. */
type LocalView = { name: string; search: Record<string, string> };

const NONE: readonly LocalView[] = [];

/** Moves the views that an earlier version stored in this browser to the server. */
export async function moveLocalViews(
  client: QueryClient,
  key: string,
  list: Partial<SavedView> & Pick<SavedView, "page">,
): Promise<void> {
  const kept = stored(
    `views:${key}`,
    (value) => (Array.isArray(value) ? value.filter(isView) : undefined),
    NONE,
  );
  const views = kept.read();
  if (views.length === 0) return;
  // First, so that a second tab does not move them again.
  kept.write(NONE);
  for (const { name, search } of views)
    await saveView({ ...list, name, search: searchOf(search) }).catch(() => {});
  await client.invalidateQueries({ queryKey: ["saved_view", null] });
}

function isView(value: unknown): value is LocalView {
  if (typeof value !== "object" || value === null) return false;
  const { name, search } = value as Partial<LocalView>;
  return typeof name === "string" && typeof search === "object" && search !== null;
}
