import { Link } from "@tanstack/react-router";
import { ArrowUpRight, ChevronDown } from "lucide-react";
import { useRef, useState } from "react";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { useCommand, usePaletteCommand } from "../../keys/commands.ts";
import { can } from "../../data/projects.ts";
import { useProfile } from "../../data/session.ts";
import { Button } from "../../kit/button.tsx";
import { LaneMark } from "../../kit/lane-mark.tsx";
import { PriorityMark } from "../../kit/priority-mark.tsx";
import { Time } from "../../kit/time.tsx";
import { TypeMark } from "../../kit/type-mark.tsx";
import { AssigneeValue } from "../assignee-value.tsx";
import {
  AssigneePicker,
  EpicPicker,
  LanePicker,
  PriorityPicker,
  SprintPicker,
  TypePicker,
} from "../pickers.tsx";
import { changesAny } from "../../data/change-issues.ts";
import type { IssueChanges } from "../../data/issue-changes.ts";
import { useUpdateIssue } from "../../data/issues.ts";
import { useKnown } from "../../data/use-known.ts";
import { DueProperty } from "./due-property.tsx";
import { EstimateProperty } from "./estimate-property.tsx";
import { IssueProperty } from "./issue-property.tsx";
import { LabelsProperty } from "./labels-property.tsx";
import { AllPropertiesContext, None, Property, railButton } from "./property.tsx";

type Picker = "lane" | "priority" | "type" | "assignee" | "labels" | "sprint" | "epic";

/** The pickers whose buttons a phone may leave out. */
const MINOR: ReadonlySet<Picker> = new Set(["type", "labels", "sprint", "epic"]);

/** The properties of an issue. Each has a button to change it, some have a key. */
export function IssueRail({ project, issue }: { project: Project; issue: Issue }) {
  const me = useProfile();
  const known = useKnown(project.id);
  const update = useUpdateIssue(project.id);
  const [open, setOpen] = useState<Picker>();
  const [all, setAll] = useState(false);
  const list = useRef<HTMLDListElement>(null);
  const editable = can(project, "issues:update");
  const set = (changes: IssueChanges) => {
    if (changesAny(issue, changes)) update.mutate({ id: issue.id, changes });
  };
  const picker = (name: Picker) => ({
    projectId: project.id,
    open: open === name,
    onOpenChange: (next: boolean) => setOpen(next ? name : undefined),
  });

  const of = { enabled: editable };
  useCommand("lane", () => setOpen("lane"), { ...of, label: `Change the lane of ${issue.key}` });
  useCommand("priority", () => setOpen("priority"), { ...of, label: `Change the priority of ${issue.key}` });
  useCommand("assign", () => setOpen("assignee"), { ...of, label: `Assign ${issue.key}` });
  useCommand("label", () => setOpen("labels"), { ...of, label: `Change the labels of ${issue.key}` });
  useCommand("assignMe", () => set({ assignee_id: me.id }), {
    ...of,
    label: `Assign ${issue.key} to me`,
  });
  usePaletteCommand("issue-type", `Change the type of ${issue.key}`, () => setOpen("type"), editable);
  usePaletteCommand("issue-sprint", `Change the sprint of ${issue.key}`, () => setOpen("sprint"), editable);
  usePaletteCommand("issue-epic", `Change the epic of ${issue.key}`, () => setOpen("epic"), editable);

  const lane = known.lane(issue.lane_id);
  const assignee = known.person(issue.assignee_id);
  const values = {
    lane: lane ? <LaneMark kind={lane.kind} name={lane.name} /> : <None>Unknown</None>,
    priority: <PriorityMark priority={issue.priority} />,
    type: <TypeMark type={issue.type} />,
    assignee: <AssigneeValue id={issue.assignee_id} person={assignee} />,
    sprint: <Named name={known.sprintName(issue.sprint_id)} id={issue.sprint_id} none="No sprint" />,
    epic: <Named name={known.epicTitle(issue.epic_id)} id={issue.epic_id} none="No epic" />,
  };
  const mayReadEpics = can(project, "epics:read");

  return (
    <aside aria-label="Properties">
      {/* A picker that the palette opens needs its button. */}
      <AllPropertiesContext value={all || (open !== undefined && MINOR.has(open))}>
        <dl ref={list} className="grid grid-cols-1 gap-x-6 gap-y-1 sm:max-md:grid-cols-2">
          <Property label="Lane">
            {editable ? (
              <LanePicker
                {...picker("lane")}
                trigger={railButton("Lane", values.lane, { shortcut: "S" })}
                value={issue.lane_id}
                onChange={(lane_id) => set({ lane_id })}
              />
            ) : (
              values.lane
            )}
          </Property>
          <Property label="Priority">
            {editable ? (
              <PriorityPicker
                {...picker("priority")}
                trigger={railButton("Priority", values.priority, { shortcut: "P" })}
                value={issue.priority}
                onChange={(priority) => set({ priority })}
              />
            ) : (
              values.priority
            )}
          </Property>
          <Property label="Assignee">
            {editable ? (
              <AssigneePicker
                {...picker("assignee")}
                trigger={railButton("Assignee", values.assignee, { shortcut: "A" })}
                value={issue.assignee_id}
                onChange={(assignee_id) => set({ assignee_id })}
              />
            ) : (
              values.assignee
            )}
          </Property>
          <Property label="Labels" minor={issue.label_ids.length === 0}>
            <LabelsProperty
              issue={issue}
              known={known}
              editable={editable}
              open={open === "labels"}
              onOpenChange={(next) => setOpen(next ? "labels" : undefined)}
              onChange={(label_ids) => set({ label_ids })}
            />
          </Property>
          <Property label="Type" minor>
            {editable ? (
              <TypePicker
                {...picker("type")}
                trigger={railButton("Type", values.type)}
                value={issue.type}
                onChange={(type) => set({ type })}
              />
            ) : (
              values.type
            )}
          </Property>
          <Property label="Sprint" minor={issue.sprint_id === null}>
            {editable ? (
              <SprintPicker
                {...picker("sprint")}
                trigger={railButton("Sprint", values.sprint)}
                value={issue.sprint_id}
                onChange={(sprint_id) => set({ sprint_id })}
              />
            ) : (
              values.sprint
            )}
          </Property>
          <Property label="Epic" minor={issue.epic_id === null}>
            {editable && mayReadEpics ? (
              <EpicPicker
                {...picker("epic")}
                trigger={railButton("Epic", values.epic)}
                value={issue.epic_id}
                onChange={(epic_id) => set({ epic_id })}
              />
            ) : (
              values.epic
            )}
            {issue.epic_id !== null && mayReadEpics && (
              <Link
                to="/projects/$projectKey/epics/$epicId"
                params={{ projectKey: project.key, epicId: String(issue.epic_id) }}
                aria-label="Open epic"
                title="Open epic"
                className="ms-2 flex size-7 shrink-0 items-center justify-center rounded-md text-text-3 hover:bg-hover hover:text-text"
              >
                <ArrowUpRight aria-hidden size={16} />
              </Link>
            )}
          </Property>
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

function Named({ name, id, none }: { name: string | undefined; id: number | null; none: string }) {
  if (id === null) return <None>{none}</None>;
  return (
    <span className="truncate" title={name}>
      {name ?? "…"}
    </span>
  );
}
