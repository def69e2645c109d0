import { useMemo, useState } from "react";
import type { Notification } from "../../shared/notifications.ts";

const NONE: readonly Notification[] = [];

/**
 * What comes in while one reads waits behind "3 new", so that nothing moves under the pointer. Where nothing is listed
 * it is shown at once. `view` names the list: another one begins afresh.
 */
export function useArrivals(entries: readonly Notification[] | undefined, view: string) {
  const newest = entries?.[0]?.id ?? 0;
  const [upTo, setUpTo] = useState<{ view: string; id: number }>();
  const known = upTo?.view === view ? upTo.id : undefined;
  const isEmpty = entries !== undefined && !entries.some(({ id }) => known !== undefined && id <= known);
  // While what is listed is read out of it, the bound stays; an empty list takes what there is.
  if (entries !== undefined && (known === undefined || (isEmpty && newest > known)))
    setUpTo({ view, id: newest });
  const bound = known === undefined || isEmpty ? Math.max(newest, known ?? 0) : known;
  const shown = useMemo(() => entries?.filter(({ id }) => id <= bound) ?? NONE, [entries, bound]);
  return {
    shown: shown as Notification[],
    waiting: (entries?.length ?? 0) - shown.length,
    take: () => setUpTo({ view, id: newest }),
  };
}
