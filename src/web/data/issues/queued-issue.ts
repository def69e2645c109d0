import type { Issue } from "../../../shared/issues.ts";
import type { NewChange } from "../offline/queued-changes.ts";
import type { IssueChanges } from "./issue-changes.ts";

type Ids = { id: number; project_id: number };

/** A change of fields that can wait for the connection. `before` is the issue as the person saw it. */
export function fieldsChange(issue: Ids, changes: IssueChanges, before: Issue | undefined): NewChange {
  const fields = Object.keys(changes);
  return {
    request: { method: "PATCH", path: `/api/projects/${issue.project_id}/issues/${issue.id}`, body: changes },
    shows: {
      kind: "issue",
      items: [
        { id: issue.id, project_id: issue.project_id, before: pickFields(before, fields), after: changes },
      ],
      compared: before === undefined ? [] : fields,
    },
  };
}

export const pickFields = (issue: Issue | undefined, fields: readonly string[]): object =>
  issue === undefined ? {} : Object.fromEntries(fields.map((name) => [name, issue[name as keyof Issue]]));
