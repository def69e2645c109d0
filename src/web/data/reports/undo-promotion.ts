import type { QueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Report, unpromoteBody } from "../../../shared/reports.ts";
import { api, ApiError } from "../../api/client.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import { putReports, reportsPath } from "./reports.ts";
import { tellReturned } from "./returned-reports.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { toast } from "../../kit/notices/toast.ts";
import type { Promoted } from "./promoted.ts";

/**
 * Takes a promotion back: the reports return to the queue, and an issue that it created is deleted unless something has happened to
 * it since. `issue` names the issue in messages.
 */
export async function undoPromotion(
  client: QueryClient,
  projectId: number,
  { group, reportIds, errorIds, isNew }: Promoted,
  issue: string,
): Promise<void> {
  const unpromote = async (id: number, body: z.input<typeof unpromoteBody>) =>
    putReports(client, [await api.post<Report>(`${reportsPath(projectId)}/${id}/unpromote`, body)]);
  const unlink = async (id: number, search = "") => {
    const path = `/api/projects/${projectId}/error-groups/${id}/link${search}`;
    const { linked_issue_id } = await api.delete<ErrorGroup>(path);
    patchEverywhere(client, "error_group", id, { linked_issue_id });
  };
  let isKept = false;
  const deleting = async (send: (deletes: boolean) => Promise<unknown>) => {
    try {
      await send(isNew);
    } catch (error) {
      if (!(error instanceof ApiError) || error.messageFor("delete_issue") === undefined) throw error;
      isKept = true;
      await send(false);
    }
  };
  // The last step deletes the issue, because it then has no other source.
  const last = group === undefined ? reportIds.at(-1) : undefined;
  try {
    for (const id of reportIds) if (id !== last) await unpromote(id, {});
    if (group !== undefined)
      await deleting((deletes) => unlink(group.id, deletes ? "?delete_issue=true" : ""));
    if (last !== undefined) await deleting((deletes) => unpromote(last, { delete_issue: deletes }));
    if (!isNew) for (const id of errorIds) await unlink(id);
    tellReturned(reportIds);
    toast({
      title: returnedText(reportIds, group?.exception_class),
      description: isKept ? `${issue} was kept because it has changed since.` : undefined,
      tone: "success",
      subjects: reportIds.map((id) => `report:${id}`),
    });
  } catch (error) {
    showFailure("The promotion could not be undone", error);
  } finally {
    for (const kind of ["issue", "error_group"]) void client.invalidateQueries({ queryKey: [kind] });
    void client.invalidateQueries({ queryKey: ["report", projectId] });
  }
}

function returnedText(ids: readonly number[], error: string | undefined): string {
  if (ids.length > 1) return `${ids.length} reports are back in the queue`;
  if (ids.length === 1) return `Report #${ids[0]} is back in the queue`;
  return `${error} is no longer promoted`;
}
