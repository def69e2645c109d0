import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Report } from "../../shared/reports.ts";
import { api, messageOf } from "../api/client.ts";
import { toast } from "../kit/toast.ts";
import { reportsPath, reportsQuery } from "../data/reports.ts";
import { type Beside, type ReorderBody, reorderBodyOf, withMoved } from "./report-order.ts";

/** A key that is held moves a report many places; the server is told of the last. */
const SETTLE_MS = 250;

/**
 * Moves reports in their queue: shown at once, sent when the report has come to rest, one after the other. A refusal,
 * such as a report that was deleted meanwhile, loads the true order and says why.
 */
export function useReorder(projectId: number) {
  const client = useQueryClient();
  const { queryKey } = reportsQuery(projectId);
  const resting = useRef<{ body: ReorderBody; timer: ReturnType<typeof setTimeout> } | undefined>(undefined);
  const mutationKey = ["reorder", projectId];

  const { mutate } = useMutation({
    mutationKey,
    // One at a time, in the order they were made.
    scope: { id: `reorder ${projectId}` },
    mutationFn: (body: ReorderBody) => api.post<Report[]>(`${reportsPath(projectId)}/reorder`, body),
    onSuccess: (reports) => {
      // What has been moved since stays where it was put.
      if (client.isMutating({ mutationKey }) <= 1 && resting.current === undefined)
        client.setQueryData(queryKey, reports);
    },
    onError: (error) => {
      toast({ title: "The report was not moved", description: messageOf(error), tone: "danger" });
      return client.invalidateQueries({ queryKey });
    },
  });

  const send = useRef(() => {});
  useEffect(() => {
    send.current = () => {
      const waiting = resting.current;
      if (waiting === undefined) return;
      clearTimeout(waiting.timer);
      resting.current = undefined;
      mutate(waiting.body);
    };
  }, [mutate]);
  useEffect(() => () => send.current(), []);

  return (id: number, beside: Beside): boolean => {
    const before = client.getQueryData(queryKey) ?? [];
    const after = withMoved(before, id, beside);
    if (after === before) return false;
    if (resting.current !== undefined && resting.current.body.report_id !== id) send.current();
    clearTimeout(resting.current?.timer);
    void client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, [...after]);
    const body = reorderBodyOf(after, id);
    resting.current = { body, timer: setTimeout(() => send.current(), SETTLE_MS) };
    return true;
  };
}
