import type { BulkStatus, ErrorGroup } from "../../shared/error-groups.ts";
import { api } from "../api/client.ts";
import { IGNORED, type StatusChange, type StatusFields } from "./states.ts";

/** The most groups that the server changes with one request. */
const MAX_CHANGED = 500;

type Target = Pick<StatusFields, "status"> & { id: number; project_id: number };

/** Changes the status of groups in any projects, as one change that can be undone. */
export async function sendStatus(
  groups: readonly Target[],
  change: StatusChange,
  change_id: string,
): Promise<BulkStatus> {
  const [group] = groups;
  if (groups.length === 1 && group && group.status === IGNORED && isForGood(change)) {
    // The bulk endpoint leaves ignored groups as they are.
    const path = `/api/projects/${group.project_id}/error-groups/${group.id}/ignore`;
    return { data: [await api.post<ErrorGroup>(path, { change_id })], refused_ids: [] };
  }
  const answer: BulkStatus = { data: [], refused_ids: [] };
  for (let from = 0; from < groups.length; from += MAX_CHANGED) {
    const error_group_ids = groups.slice(from, from + MAX_CHANGED).map(({ id }) => id);
    const part = await api.post<BulkStatus>("/api/error-groups/bulk-status", {
      error_group_ids,
      ...change,
      change_id,
    });
    answer.data.push(...part.data);
    answer.refused_ids.push(...part.refused_ids);
  }
  return answer;
}

const isForGood = ({ status, until }: StatusChange) => status === IGNORED && until === undefined;
