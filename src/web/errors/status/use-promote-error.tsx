import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { ErrorGroup, ErrorGroupListItem } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import type { Report } from "../../../shared/reports.ts";
import { mappedTrace } from "../../../shared/stack-trace/mapped-trace.ts";
import { errorGroupQuery } from "../../data/errors/error-groups.ts";
import { keptEventQuery } from "../../data/errors/kept-events.ts";
import { pendingDismissals, withDismissal } from "../../data/reports/pending-dismissals.ts";
import { can } from "../../data/projects/projects.ts";
import { reportsOfErrorQuery } from "../../data/reports/reports.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { lazyPart } from "../../kit/lazy-part.tsx";
import { LazyPopup } from "../../kit/lazy-popup.tsx";

// The editor and the pickers are larger than the errors, so they load on demand.
const PromoteDialog = lazyPart(
  async () => (await import("../../promotion/promote-dialog.tsx")).PromoteDialog,
);

type Promotable = Pick<ErrorGroupListItem, "id" | "project_id" | "exception_class">;

/** What the dialog promotes. */
type Asked = { project: Project; group: ErrorGroup; trace: string; reports: Report[] };

/** Promotes an error to an issue, after asking in a dialog. Render the dialog. */
export function usePromoteError(projectOf: (group: Promotable) => Project | undefined): {
  promote: (group: Promotable) => void;
  isPending: boolean;
  dialog: ReactNode;
} {
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const ask = useMutation({
    mutationFn: async (of: Promotable): Promise<Asked | undefined> => {
      const project = projectOf(of);
      if (project === undefined) return undefined;
      const [group, reports] = await Promise.all([
        client.fetchQuery(errorGroupQuery(project.id, of.id)),
        readOpenReports(client, project, of.id),
      ]);
      return { project, group, trace: await readMappedTrace(client, group), reports };
    },
    // Someone else may have promoted it.
    onSuccess: (next) => next?.group.linked_issue_id === null && setAsked(next),
    onError: (error, { exception_class }) => showFailure(`${exception_class} could not be promoted`, error),
  });
  const dialog = asked && (
    <LazyPopup open onCancel={close}>
      <PromoteDialog {...asked} onClose={close} onPromoted={close} />
    </LazyPopup>
  );
  return { promote: (group) => ask.mutate(group), isPending: ask.isPending, dialog };
}

/** The group's latest trace with the original places of its minified frames, as far as the event can be read. */
async function readMappedTrace(client: QueryClient, group: ErrorGroup): Promise<string> {
  const { id, project_id, latest_stack_trace, kept_events_count } = group;
  if (kept_events_count === 0) return latest_stack_trace;
  const event = await client.fetchQuery(keptEventQuery(project_id, id, "latest")).catch(() => undefined);
  return mappedTrace(latest_stack_trace, event?.frames ?? []);
}

/** The reports that can be promoted together with the error; none without the permissions. */
async function readOpenReports(client: QueryClient, project: Project, groupId: number): Promise<Report[]> {
  if (!project.features.reports || !can(project, "reports:read") || !can(project, "reports:update"))
    return [];
  const reports = await client.fetchQuery(reportsOfErrorQuery(project.id, groupId));
  return reports
    .map((report) => withDismissal(report, pendingDismissals.get()))
    .filter(({ promoted_at, dismissed_at }) => promoted_at === null && dismissed_at === null);
}
