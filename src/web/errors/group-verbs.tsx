import { useNavigate } from "@tanstack/react-router";
import { CircleDot } from "lucide-react";
import type { ErrorGroup, ErrorGroupStatus } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import { CATALOGUE } from "../keys/catalogue.ts";
import { useCommand } from "../keys/commands.ts";
import { can } from "../data/projects.ts";
import { Button } from "../kit/button.tsx";
import { canBecome, IGNORED, OPEN, RESOLVED, VERBS } from "./states.ts";
import { usePromote, useSetStatus } from "./use-triage.ts";
import { VERB_ICONS } from "./verb-menu.tsx";

const KEYS = { [RESOLVED]: "deal", [IGNORED]: "hide", [OPEN]: "putBack" } as const;

/** What can be done with a group, by button and by key. Nothing for who may not. */
export function GroupVerbs({ group, project }: { group: ErrorGroup; project: Project }) {
  const navigate = useNavigate();
  const setStatus = useSetStatus();
  const promote = usePromote(
    ({ issueId }) =>
      void navigate({
        to: "/projects/$projectKey/issues/$issueKey",
        params: { projectKey: project.key, issueKey: String(issueId) },
      }),
  );
  const may = can(project, "error-groups:update");
  const mayPromote = may && group.linked_issue_id === null;
  useCommand("promote", () => promote.mutate(group), {
    label: `Promote ${group.exception_class} to an issue`,
    enabled: mayPromote && !promote.isPending,
  });
  if (!may) return null;
  return (
    <>
      {([RESOLVED, IGNORED, OPEN] as const).map((status) => (
        <StatusVerb key={status} group={group} status={status} onRun={() => setStatus([group], status)} />
      ))}
      {mayPromote && (
        <Button
          icon={CircleDot}
          shortcut={CATALOGUE.promote.keys}
          busy={promote.isPending}
          onClick={() => promote.mutate(group)}
        >
          Promote
        </Button>
      )}
    </>
  );
}

function StatusVerb({
  group,
  status,
  onRun,
}: {
  group: ErrorGroup;
  status: ErrorGroupStatus;
  onRun: () => void;
}) {
  const enabled = canBecome(group, status);
  const { verb } = VERBS[status];
  useCommand(KEYS[status], onRun, { label: `${verb} ${group.exception_class}`, enabled });
  if (!enabled) return null;
  return (
    <Button
      variant={status === RESOLVED ? "primary" : "default"}
      icon={VERB_ICONS[status]}
      shortcut={CATALOGUE[KEYS[status]].keys}
      onClick={onRun}
    >
      {status === OPEN && group.status === OPEN ? "Clear the regression" : verb}
    </Button>
  );
}
