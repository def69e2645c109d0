import { useEffect } from "react";
import { useNow } from "../../kit/dates/time.tsx";
import { utcDay } from "../view.ts";

/**
 * Refetches on the next UTC day, because daily counts end with the day of the response. Returns when the response
 * arrived.
 */
export function useFreshDay({
  dataUpdatedAt,
  refetch,
}: {
  dataUpdatedAt: number;
  refetch: () => unknown;
}): number {
  const now = useNow();
  const isOutdated = dataUpdatedAt > 0 && utcDay(dataUpdatedAt) < utcDay(now);
  useEffect(() => {
    if (isOutdated) refetch();
  }, [isOutdated, refetch]);
  return dataUpdatedAt > 0 ? dataUpdatedAt : now;
}
