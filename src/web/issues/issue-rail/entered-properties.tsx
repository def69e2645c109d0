import type { Issue } from "../../../shared/issues.ts";
import { Time } from "../../kit/dates/time.tsx";
import { DueProperty } from "./due-property.tsx";
import { EstimateProperty } from "./estimate-property.tsx";
import { IssueProperty } from "./issue-property.tsx";
import { Property } from "./property.tsx";
import type { RailPart } from "./rail-part.ts";

/** The properties that are typed: estimate, due date, and other issues. */
export function EnteredProperties({ project, issue, editable, set }: RailPart) {
  return (
    <>
      <Property label="Estimate" minor={issue.estimated_minutes === null}>
        <EstimateProperty
          minutes={issue.estimated_minutes}
          editable={editable}
          onChange={(estimated_minutes) => set({ estimated_minutes })}
        />
      </Property>
      <Property label="Due" minor={issue.due_on === null}>
        <DueProperty
          day={issue.due_on}
          closed={issue.closed_at !== null}
          editable={editable}
          onChange={(due_on) => set({ due_on })}
        />
      </Property>
      <Property label="Parent" minor={issue.parent_id === null}>
        <IssueProperty
          {...{ project, issue, editable }}
          label="Parent"
          none="No parent"
          value={issue.parent_id}
          onChange={(parent_id) => set({ parent_id })}
        />
      </Property>
      {(editable || issue.duplicate_of_id !== null) && (
        <Property label="Original" minor={issue.duplicate_of_id === null}>
          <IssueProperty
            {...{ project, issue, editable }}
            label="Duplicate of"
            none="Not a duplicate"
            value={issue.duplicate_of_id}
            onChange={(duplicate_of_id) => set({ duplicate_of_id })}
          />
        </Property>
      )}
    </>
  );
}

/** When the issue was created, changed and closed. */
export function IssueTimes({ issue }: { issue: Issue }) {
  return (
    <>
      <Property label="Created" minor>
        <Time at={issue.created_at} />
      </Property>
      <Property label="Updated" minor>
        <Time at={issue.updated_at} />
      </Property>
      {issue.closed_at !== null && (
        <Property label="Closed" minor>
          <Time at={issue.closed_at} />
        </Property>
      )}
    </>
  );
}
