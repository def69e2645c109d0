import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Report } from "../../../shared/reports.ts";
import { api } from "../../api/client.ts";
import { reportsPath, reportsQuery } from "./reports.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { type NeighborReport, type ReorderBody, reorderBodyOf, withMoved } from "./move-report.ts";

/** Delay before a move is sent, so that holding a key sends only the last position. */
const SEND_DELAY_MS = 250;

/**
 * Moves reports in the queue optimistically. Requests are delayed and sent one at a time. If one fails, for example
 * because a report was deleted, the queue is loaded again and a toast says why.
 */
export function useReorder(projectId: number) {
  const client = useQueryClient();
  const { queryKey } = reportsQuery(projectId);
  const delayed = useRef<{ body: ReorderBody; timer: ReturnType<typeof setTimeout> } | undefined>(undefined);
  const mutationKey = ["reorder", projectId];

  const { mutate } = useMutation({
    mutationKey,
    // One request at a time, in order.
    scope: { id: `reorder ${projectId}` },
    mutationFn: (body: ReorderBody) => api.post<Report[]>(`${reportsPath(projectId)}/reorder`, body),
    onSuccess: (reports) => {
      // A later move is more recent than this response.
      if (client.isMutating({ mutationKey }) <= 1 && delayed.current === undefined)
        client.setQueryData(queryKey, reports);
    },
    onError: (error) => {
      showFailure("The report could not be moved", error);
      return client.invalidateQueries({ queryKey });
    },
  });

  const send = useRef(() => {});
  useEffect(() => {
    send.current = () => {
      const waiting = delayed.current;
      if (waiting === undefined) return;
      clearTimeout(waiting.timer);
      delayed.current = undefined;
      mutate(waiting.body);
    };
  }, [mutate]);
  useEffect(() => () => send.current(), []);

  return (id: number, target: NeighborReport): boolean => {
    const before = client.getQueryData(queryKey) ?? [];
    const after = withMoved(before, id, target);
    if (after === before) return false;
    if (delayed.current !== undefined && delayed.current.body.report_id !== id) send.current();
    clearTimeout(delayed.current?.timer);
    void client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, [...after]);
    const body = reorderBodyOf(after, id);
    delayed.current = { body, timer: setTimeout(() => send.current(), SEND_DELAY_MS) };
    return true;
  };
}
