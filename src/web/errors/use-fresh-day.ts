import { useEffect } from "react";
import { useNow } from "../kit/time.tsx";
import { utcDay } from "./view.ts";

/**
 * Counts are by the UTC days that end with that of the answer: on the next day they are asked for again. Returns when
 * the answer came.
 */
export function useFreshDay({
  dataUpdatedAt,
  refetch,
}: {
  dataUpdatedAt: number;
  refetch: () => unknown;
}): number {
  const now = useNow();
  const isOld = dataUpdatedAt > 0 && utcDay(dataUpdatedAt) < utcDay(now);
  useEffect(() => {
    if (isOld) refetch();
  }, [isOld, refetch]);
  return dataUpdatedAt > 0 ? dataUpdatedAt : now;
}
