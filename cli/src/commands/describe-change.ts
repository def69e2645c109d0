import type { ErrorGroupListItem } from "../../../src/shared/error-groups.ts";
import type { Issue } from "../../../src/shared/issues.ts";
import type { LiveEvent } from "../../../src/shared/live-changes.ts";
import type { Report } from "../../../src/shared/reports.ts";
import type { Api } from "../api.ts";
import { Failure } from "../failure.ts";
import { describeStatus } from "./errors.ts";

/** A change in words. What cannot be read any more, because it was deleted, has only its id. */
export async function describeChange(api: Api, change: LiveEvent): Promise<string> {
  const { kind, id, commentable_type, commentable_id } = change;
  if (kind === "comment" && commentable_type !== undefined)
    return `comment ${id} on ${commentable_type.replace("_", " ")} ${commentable_id}`;
  const title = await readTitle(api, change).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  return title ?? `${kind.replace("_", " ")} ${id}`;
}

async function readTitle(api: Api, { kind, id, project_id }: LiveEvent): Promise<string | undefined> {
  if (kind === "issue") {
    const { rows } = await api.list<Issue>("/issues", { ids: id }, 1);
    return rows[0] && `issue ${rows[0].key}: ${rows[0].title}`;
  }
  if (kind === "error_group") {
    const { rows } = await api.list<ErrorGroupListItem>("/error-groups", { ids: id }, 1);
    return rows[0] && describeStatus(rows[0]);
  }
  if (kind !== "report" || project_id === null) return undefined;
  const report = await api.get<Report>(`/projects/${project_id}/reports/${id}`);
  return `report ${id}: ${report.title}`;
}
