import { Link } from "@tanstack/react-router";
import { ArrowUpRight } from "lucide-react";
import type { Project } from "../../../shared/projects.ts";
import { can } from "../../data/projects/projects.ts";
import { type IssueNames, useIssueNames } from "../../data/projects/use-issue-names.ts";
import { LaneMark } from "../../marks/lane-mark.tsx";
import { PriorityMark } from "../../marks/priority-mark.tsx";
import { tooltip } from "../../kit/tooltip.ts";
import { TypeMark } from "../../marks/type-mark.tsx";
import { AssigneeValue } from "../assignee-value.tsx";
import {
  AssigneePicker,
  EpicPicker,
  LanePicker,
  PriorityPicker,
  SprintPicker,
  TypePicker,
} from "../pickers.tsx";
import { LabelsProperty } from "./labels-property.tsx";
import { None, Property, railButton } from "./property.tsx";
import type { RailPart } from "./rail-part.ts";
import type { RailPickers } from "./use-rail-pickers.ts";

type Props = RailPart & Pick<RailPickers, "picker">;
type PartProps = Props & { issueNames: IssueNames };

/** The properties that are picked from a list. */
export function PickedProperties(props: Props) {
  const { issue, editable, set, picker } = props;
  const issueNames = useIssueNames(props.project.id);
  return (
    <>
      <Progress {...props} issueNames={issueNames} />
      <Property label="Labels" minor={issue.label_ids.length === 0}>
        <LabelsProperty
          issue={issue}
          issueNames={issueNames}
          editable={editable}
          {...picker("labels")}
          onChange={(label_ids) => set({ label_ids })}
        />
      </Property>
      <Property label="Type" minor>
        {editable ? (
          <TypePicker
            {...picker("type")}
            trigger={railButton("Type", <TypeMark type={issue.type} />)}
            value={issue.type}
            onChange={(type) => set({ type })}
          />
        ) : (
          <TypeMark type={issue.type} />
        )}
      </Property>
      <Plan {...props} issueNames={issueNames} />
    </>
  );
}

/** The lane, priority and assignee. */
function Progress({ issue, issueNames, editable, set, picker }: PartProps) {
  const lane = issueNames.lane(issue.lane_id);
  const values = {
    lane: lane ? <LaneMark kind={lane.kind} name={lane.name} /> : <None>Unknown</None>,
    priority: <PriorityMark priority={issue.priority} />,
    assignee: <AssigneeValue id={issue.assignee_id} person={issueNames.person(issue.assignee_id)} />,
  };
  return (
    <>
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
    </>
  );
}

/** The sprint and epic. */
function Plan({ project, issue, issueNames, editable, set, picker }: PartProps) {
  const values = {
    sprint: <Named name={issueNames.sprintName(issue.sprint_id)} id={issue.sprint_id} none="No sprint" />,
    epic: <Named name={issueNames.epicTitle(issue.epic_id)} id={issue.epic_id} none="No epic" />,
  };
  const mayReadEpics = can(project, "epics:read");
  return (
    <>
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
        {issue.epic_id !== null && mayReadEpics && <EpicLink project={project} id={issue.epic_id} />}
      </Property>
    </>
  );
}

function EpicLink({ project, id }: { project: Project; id: number }) {
  return (
    <Link
      to="/projects/$projectKey/epics/$epicId"
      params={{ projectKey: project.key, epicId: String(id) }}
      aria-label="Open epic"
      {...tooltip("Open epic")}
      className="ms-2 flex size-7 shrink-0 items-center justify-center rounded-md text-text-3 hover:bg-hover hover:text-text"
    >
      <ArrowUpRight aria-hidden size={16} />
    </Link>
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
