import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { IssueWatch, Notification, ReportWatch } from "../../../shared/notifications.ts";
import { api } from "../../api/client.ts";
import { groupWatchKey } from "../errors/error-group-work.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { beginChange, toast } from "../../kit/notices/toast.ts";

/** Stops watching what an entry is about: the issue, the error, or the reports of the project. Undefined if nobody watches it. */
export function useStopWatching(entry: Notification | undefined) {
  const client = useQueryClient();
  const watched = entry && watchedBy(entry);
  if (watched === undefined) return undefined;
  const { name, set } = watched;
  const change = (watching: boolean) =>
    set(client, watching).catch((error: unknown) => {
      showFailure(watching ? `You don’t watch ${name}` : `You still watch ${name}`, error);
      return false;
    });
  return {
    label: `Stop watching ${name}`,
    run: () => {
      const begun = beginChange();
      void change(false).then((isDone) => {
        if (isDone) toast({ title: `No longer watching ${name}`, change: begun, undo: () => change(true) });
        else begun.failed();
      });
    },
  };
}

function watchedBy({ type, notifiable, report_id }: Notification) {
  if (notifiable.type === "issue") {
    const { id, key, project_id } = notifiable;
    return {
      name: key,
      set: async (client: QueryClient, watching: boolean) => {
        const path = `/api/projects/${project_id}/issues/${id}/watch`;
        patchEverywhere(client, "issue", id, await api.put<IssueWatch>(path, { watching }));
        return true;
      },
    };
  }
  // A new error is notified to those who watch the project.
  if (type === 10 && (notifiable.type === "error_group" || notifiable.type === "project"))
    return watchOfProject(
      notifiable.type === "project" ? notifiable.id : notifiable.project_id,
      "new errors and reports",
    );
  if (notifiable.type === "error_group") {
    const { id, exception_class, project_id } = notifiable;
    return {
      name: exception_class,
      set: async (client: QueryClient, watching: boolean) => {
        const path = `/api/projects/${project_id}/error-groups/${id}/watch`;
        const key = groupWatchKey(project_id, id);
        client.setQueryData(key, await api.put<IssueWatch>(path, { watching }));
        return true;
      },
    };
  }
  if (notifiable.type !== "project" || report_id === null) return undefined;
  return watchOfProject(notifiable.id, `reports of ${notifiable.name}`);
}

function watchOfProject(id: number, name: string) {
  return {
    name,
    set: async (client: QueryClient, watching: boolean) => {
      const path = `/api/projects/${id}/reports/watch`;
      patchEverywhere(client, "report_watch", id, await api.put<ReportWatch>(path, { watching }));
      return true;
    },
  };
}
