import { reportWatchAnswer, watchBody } from "../../shared/notifications.ts";
import type { Api } from "../access/context.ts";
import { READING } from "../access/readable-kinds.ts";
import { listReportWatchers, toggleReportWatch } from "../inform/watches/toggle-watch.ts";

export function reportWatchRoutes(api: Api) {
  const watch = "/api/projects/:projectId/reports/watch";
  const { needs, feature, area } = READING.report;
  const config = { needs, feature, area };

  api.get(
    watch,
    {
      config,
      schema: {
        operationId: "listReportWatchers",
        summary: "List who watches a project's reports",
        response: { 200: reportWatchAnswer },
      },
    },
    async ({ db, project }) => ({ report_watcher_ids: await listReportWatchers(db, project.id) }),
  );

  api.post(
    watch,
    {
      config,
      schema: {
        operationId: "toggleReportWatch",
        summary: "Toggle watching a project's reports",
        response: { 200: reportWatchAnswer },
      },
    },
    async ({ db, project, caller }) => ({
      report_watcher_ids: await toggleReportWatch(db, project, caller.user_id),
    }),
  );

  api.put(
    watch,
    {
      config,
      schema: {
        operationId: "setReportWatch",
        summary: "Set whether the caller watches a project's reports",
        body: watchBody,
        response: { 200: reportWatchAnswer },
      },
    },
    async ({ db, project, caller, body }) => ({
      report_watcher_ids: await toggleReportWatch(db, project, caller.user_id, body.watching),
    }),
  );
}
