import { ChevronDown } from "lucide-react";
import { useRef, useState } from "react";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { changesAny } from "../../data/issues/change-issues.ts";
import type { IssueChanges } from "../../data/issues/issue-changes.ts";
import { useUpdateIssue } from "../../data/issues/issues.ts";
import { can } from "../../data/projects/projects.ts";
import { useProfile } from "../../data/account/session.ts";
import { useCommand } from "../../keys/commands.ts";
import { Button } from "../../kit/button.tsx";
import { EnteredProperties, IssueTimes } from "./entered-properties.tsx";
import { PickedProperties } from "./picked-properties.tsx";
import { AllPropertiesContext } from "./property.tsx";
import { useRailPickers } from "./use-rail-pickers.ts";

/** The properties of an issue. Each has a button to change it, some have a key. */
export function IssueRail({ project, issue }: { project: Project; issue: Issue }) {
  const me = useProfile();
  const update = useUpdateIssue(project.id);
  const [all, setAll] = useState(false);
  const list = useRef<HTMLDListElement>(null);
  const editable = can(project, "issues:update");
  const { picker, needsMinor } = useRailPickers(issue, editable);
  const set = (changes: IssueChanges) => {
    if (changesAny(issue, changes)) update.mutate({ id: issue.id, changes });
  };
  useCommand("assignMe", () => set({ assignee_id: me.id }), {
    enabled: editable,
    label: `Assign ${issue.key} to me`,
  });
  const part = { project, issue, editable, set };
  return (
    <aside aria-label="Properties">
      <AllPropertiesContext value={all || needsMinor}>
        <dl ref={list} className="grid grid-cols-1 gap-x-6 gap-y-1 sm:max-md:grid-cols-2">
          <PickedProperties {...part} picker={picker} />
          <EnteredProperties {...part} />
          <IssueTimes issue={issue} />
        </dl>
      </AllPropertiesContext>
      {!all && (
        <Button
          size="sm"
          variant="quiet"
          icon={ChevronDown}
          className="-ms-2 mt-1 sm:hidden"
          aria-expanded={false}
          onClick={() => {
            setAll(true);
            // This button disappears.
            list.current?.querySelector<HTMLElement>("button")?.focus();
          }}
        >
          All properties
        </Button>
      )}
    </aside>
  );
}
