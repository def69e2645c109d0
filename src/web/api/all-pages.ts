import { api } from "./client.ts";

/** The house's list form (platform.md). */
export type Page<T> = { data: T[]; meta: { next_cursor: string | null } };

/** A list that is needed whole (people, labels, lanes): page after page, at most `most` rows. */
export async function allPages<T>(path: string, most = 1_000, signal?: AbortSignal): Promise<T[]> {
  const rows: T[] = [];
  const join = path.includes("?") ? "&" : "?";
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page<T> = await api.get<Page<T>>(`${path}${join}limit=200${next}`, signal);
    rows.push(...page.data);
    cursor = page.meta.next_cursor;
  } while (cursor !== null && rows.length < most);
  return rows;
}
