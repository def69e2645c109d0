import { useMemo, useState } from "react";
import type { Notification } from "../../shared/notifications.ts";

const NONE: readonly Notification[] = [];

/**
 * Holds back entries that arrive while the list is shown, so that no row moves under the pointer. `count` entries are
 * held back until `show`. An empty list shows new entries at once. `view` identifies the list; another one starts over.
 */
export function useNewEntries(entries: readonly Notification[] | undefined, view: string) {
  const newest = entries?.[0]?.id ?? 0;
  const [limit, setLimit] = useState<{ view: string; id: number }>();
  const known = limit?.view === view ? limit.id : undefined;
  const bound = newestShown(entries, known);
  if (entries !== undefined && bound !== known) setLimit({ view, id: bound });
  const shown = useMemo(() => entries?.filter(({ id }) => id <= bound) ?? NONE, [entries, bound]);
  return {
    shown: shown as Notification[],
    count: (entries?.length ?? 0) - shown.length,
    show: () => setLimit({ view, id: newest }),
  };
}

/**
 * The id of the newest entry to show. `known` is that of the newest one shown before, undefined in a new view. Entries are
 * newest first.
 */
export function newestShown(
  entries: readonly Pick<Notification, "id">[] = [],
  known: number | undefined,
): number {
  const newest = entries[0]?.id ?? 0;
  if (known === undefined) return newest;
  return entries.some(({ id }) => id <= known) ? known : Math.max(newest, known);
}
