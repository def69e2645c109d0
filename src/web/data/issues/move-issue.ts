import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { beginChange } from "../../kit/notices/toast.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import { type NewChange, Queued } from "../offline/queued-changes.ts";
import { cancelQueued, sendOrQueue } from "../offline/send-or-queue.ts";
import type { Move } from "./issue-changes.ts";
import { changesInFlight, inOrder } from "./issue-order.ts";
import { byRank, seen, type Update, useReportClosing } from "./issues.ts";
import { pickFields } from "./queued-issue.ts";
import { undoOfMove } from "./undo-issues.ts";

/** Moves a card on the board, optimistically: a provisional `rank` puts it in its place until the server answers. */
export function useMoveIssue(projectId: number) {
  const client = useQueryClient();
  const report = useReportClosing();
  return useMutation({
    ...inOrder(projectId),
    mutationFn: (update: Move & Pick<Update, "change">) => {
      const { id, change: _change, ...body } = update;
      const { before, rank = "" } = seen.get(update) ?? {};
      return sendOrQueue<Issue>(client, moveChange({ id, project_id: projectId }, body, before, rank));
    },
    onMutate: async (update) => {
      const { change = beginChange(), ...move } = update;
      const { id, lane_id } = move;
      const queryKey = ["issue", projectId, "list"];
      const wasFetching = client.isFetching({ queryKey }) > 0;
      await client.cancelQueries({ queryKey });
      let place: Move | undefined;
      let before: Issue | undefined;
      let rank = "";
      let size = 0;
      const undo = patchEverywhere(client, "issue", id, (issue, all) => {
        before = issue;
        // The largest list is the one with the whole lane.
        if (all.length > size) place = placeOf(issue, all);
        const provisional = provisionalRank(all, move);
        if (all.length > size) rank = provisional;
        size = Math.max(size, all.length);
        return { lane_id, rank: provisional };
      });
      seen.set(update, { before, rank });
      return { undo, place, before, wasFetching, change };
    },
    onError: (error, _variables, context) => {
      context?.undo();
      showFailure(`${context?.before?.key ?? "The issue"} could not be moved`, error);
      // The cached board was outdated: a lane or a neighbor was deleted.
      void client.invalidateQueries({ queryKey: ["issue", projectId] });
      context?.change.failed();
    },
    onSuccess: (issue, _variables, { place, before, wasFetching, change }) => {
      if (issue instanceof Queued) return change.done(() => cancelQueued(client, issue.id));
      if (changesInFlight(client, issue) === 1) patchEverywhere(client, "issue", issue.id, issue);
      void report(before, issue, change, place && undoOfMove(client, issue, place));
      // Restart the fetch that the move has canceled.
      void client.invalidateQueries({
        queryKey: ["issue", projectId],
        refetchType: wasFetching ? "active" : "none",
      });
    },
  });
}

/** A move on the board that can wait for the connection. `rank` is the provisional one. */
function moveChange(
  issue: Pick<Issue, "id" | "project_id">,
  body: Omit<Move, "id">,
  before: Issue | undefined,
  rank: string,
): NewChange {
  const after = { lane_id: body.lane_id, rank };
  return {
    request: { method: "POST", path: `/api/projects/${issue.project_id}/issues/${issue.id}/move`, body },
    shows: {
      kind: "issue",
      items: [
        { id: issue.id, project_id: issue.project_id, before: pickFields(before, Object.keys(after)), after },
      ],
      compared: before === undefined ? [] : ["lane_id"],
    },
  };
}

/** Where the issue is now, as the move that would bring it back. */
function placeOf(issue: Issue, all: readonly Issue[]): Move {
  const lane = all.filter(({ lane_id }) => lane_id === issue.lane_id).toSorted(byRank);
  const index = lane.findIndex(({ id }) => id === issue.id);
  const [above, below] = [lane[index - 1], lane[index + 1]];
  return {
    id: issue.id,
    lane_id: issue.lane_id,
    ...(above ? { rank_before_id: above.id } : below ? { rank_after_id: below.id } : {}),
  };
}

/** A string that sorts right behind `before`, or right ahead of `after`, in the cached lane. */
function provisionalRank(all: readonly Issue[], move: Move): string {
  const { id, lane_id, rank_before_id, rank_after_id } = move;
  const lane = all.filter((issue) => issue.lane_id === lane_id && issue.id !== id).toSorted(byRank);
  const previous = lane.find((issue) => issue.id === rank_before_id);
  if (previous) return `${previous.rank}0`;
  const place = lane.findIndex((issue) => issue.id === rank_after_id);
  const above = place > 0 ? lane[place - 1] : undefined;
  return above ? `${above.rank}0` : "";
}
