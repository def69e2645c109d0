import { Bell, BellRing } from "lucide-react";
import { useState } from "react";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { useAssignGroups } from "../../data/errors/assign-groups.ts";
import { useGroupWatch } from "../../data/errors/error-group-work.ts";
import { usePeople } from "../../data/projects/people.ts";
import { can } from "../../data/projects/projects.ts";
import { useProfile } from "../../data/account/session.ts";
import { AssigneeValue } from "../../issues/assignee-value.tsx";
import { AssigneePicker } from "../../issues/pickers.tsx";
import { railButton } from "../../issues/issue-rail/property.tsx";
import { useCommand } from "../../keys/commands.ts";
import { Button } from "../../kit/button.tsx";
import { announce } from "../../kit/notices/live-region.ts";

type Props = { project: Project; group: ErrorGroup };

/** Who works on the group, and whether the user watches it. */
export function GroupAssignee({ project, group }: Props) {
  const me = useProfile().id;
  const [isOpen, setOpen] = useState(false);
  const assignGroups = useAssignGroups();
  const assignee = usePeople(project.id).of(group.assignee_id);
  const editable = can(project, "error-groups:update");
  const assign = (assignee_id: number | null) => {
    if (assignee_id !== group.assignee_id) assignGroups({ groups: [group], assignee_id });
  };
  const of = { enabled: editable };
  useCommand("assign", () => setOpen(true), { ...of, label: `Assign ${group.exception_class}` });
  useCommand("assignMe", () => assign(me), { ...of, label: `Assign ${group.exception_class} to me` });
  const value = <AssigneeValue id={group.assignee_id} person={assignee} />;
  return (
    <section aria-label="Work" className="flex min-h-13 items-center gap-3 border-b border-line px-4 py-2">
      <dl className="flex min-w-0 flex-1 items-center gap-3">
        <dt className="text-text-3">Assignee</dt>
        <dd className="flex min-h-8 min-w-0 flex-1 items-center ps-2">
          {editable ? (
            <AssigneePicker
              projectId={project.id}
              open={isOpen}
              onOpenChange={setOpen}
              trigger={railButton("Assignee", value, { shortcut: "A" })}
              value={group.assignee_id}
              onChange={assign}
            />
          ) : (
            value
          )}
        </dd>
      </dl>
      <WatchButton project={project} group={group} />
    </section>
  );
}

function WatchButton({ project, group }: Props) {
  const { watching = false, set } = useGroupWatch(project.id, group.id);
  const text = "when it regresses, when its snooze ends, and about comments";
  return (
    <Button
      size="sm"
      aria-pressed={watching}
      icon={watching ? BellRing : Bell}
      className="aria-pressed:bg-selected aria-pressed:text-accent-text"
      title={watching ? `You get notified ${text}` : `Get notified ${text}`}
      onClick={() => {
        announce(watching ? "No longer watching" : "Watching");
        set(!watching);
      }}
    >
      {watching ? "Watching" : "Watch"}
    </Button>
  );
}
