import type { Page } from "../../shared/answers.ts";
import { api } from "./client.ts";

/**
 * Reads all pages of a list that is needed as a whole (people, labels, lanes), up to `most` rows. If there are several,
 * `onFirst` is called with the first one.
 */
export async function allPages<T>(
  path: string,
  most = 1_000,
  signal?: AbortSignal,
  onFirst?: (rows: T[]) => void,
): Promise<T[]> {
  const rows: T[] = [];
  const join = path.includes("?") ? "&" : "?";
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page<T> = await api.get<Page<T>>(`${path}${join}limit=200${next}`, signal);
    rows.push(...page.data);
    if (cursor === null && page.meta.next_cursor !== null) onFirst?.(page.data);
    cursor = page.meta.next_cursor;
  } while (cursor !== null && rows.length < most);
  return rows;
}
