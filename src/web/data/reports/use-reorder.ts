import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Report } from "../../../shared/reports.ts";
import { api } from "../../api/client.ts";
import { reportsPath, reportsQuery } from "./reports.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { type NeighborReport, type ReorderBody, reorderBodyOf, withMoved } from "./move-report.ts";

/** Delay before a move is sent, so that holding a key sends only the last position. */
const SEND_DELAY_MS = 250;

/** A move in flight. Until it is sent, further moves of its report replace the body. */
type Move = {
  body: ReorderBody;
  timer: ReturnType<typeof setTimeout>;
  send: () => void;
  isDue: Promise<void>;
};

/**
 * Moves reports in the queue optimistically. Requests are delayed and sent one at a time. If one fails, for example
 * because a report was deleted, the queue is loaded again and a toast says why.
 */
export function useReorder(projectId: number) {
  const client = useQueryClient();
  const { queryKey } = reportsQuery(projectId);
  const delayed = useRef<Move | undefined>(undefined);
  const mutationKey = ["reorder", projectId];

  const { mutate } = useMutation({
    mutationKey,
    // One request at a time, in order.
    scope: { id: `reorder ${projectId}` },
    // In flight from its beginning, so that nothing that was read before it is shown or kept meanwhile.
    mutationFn: async (move: Move) => {
      await move.isDue;
      return api.post<Report[]>(`${reportsPath(projectId)}/reorder`, move.body);
    },
    onSuccess: (reports) => {
      // A later move is more recent than this response.
      if (client.isMutating({ mutationKey }) <= 1) client.setQueryData(queryKey, reports);
    },
    onError: (error) => {
      showFailure("The report could not be moved", error);
      return client.invalidateQueries({ queryKey });
    },
  });
  useEffect(() => () => delayed.current?.send(), []);

  const begin = (body: ReorderBody): Move => {
    const { promise: isDue, resolve } = Promise.withResolvers<void>();
    const send = () => {
      clearTimeout(move.timer);
      if (delayed.current === move) delayed.current = undefined;
      resolve();
    };
    const move: Move = { body, send, isDue, timer: setTimeout(send, SEND_DELAY_MS) };
    return move;
  };

  return (id: number, target: NeighborReport): boolean => {
    const before = client.getQueryData(queryKey) ?? [];
    const after = withMoved(before, id, target);
    if (after === before) return false;
    void client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, [...after]);
    const body = reorderBodyOf(after, id);
    const move = delayed.current;
    if (move?.body.report_id === id) {
      clearTimeout(move.timer);
      Object.assign(move, { body, timer: setTimeout(move.send, SEND_DELAY_MS) });
      return true;
    }
    move?.send();
    delayed.current = begin(body);
    mutate(delayed.current);
    return true;
  };
}
