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
  const isEmpty = entries !== undefined && !entries.some(({ id }) => known !== undefined && id <= known);
  if (entries !== undefined && (known === undefined || (isEmpty && newest > known)))
    setLimit({ view, id: newest });
  const bound = known === undefined || isEmpty ? Math.max(newest, known ?? 0) : known;
  const shown = useMemo(() => entries?.filter(({ id }) => id <= bound) ?? NONE, [entries, bound]);
  return {
    shown: shown as Notification[],
    count: (entries?.length ?? 0) - shown.length,
    show: () => setLimit({ view, id: newest }),
  };
}
