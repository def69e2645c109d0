import { useNavigate } from "@tanstack/react-router";
import { CircleDot } from "lucide-react";
import type { ErrorGroup, ErrorGroupStatus } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import { CATALOG } from "../keys/catalog.ts";
import { useCommand } from "../keys/commands.ts";
import { can } from "../data/projects.ts";
import { Button } from "../kit/button.tsx";
import { ResolveMenu } from "./resolve-menu.tsx";
import { canBecome, IGNORED, OPEN, RESOLVED, STATUS_ACTIONS } from "./states.ts";
import { usePromote, useSetStatus } from "./use-error-actions.ts";
import { STATUS_ICONS } from "./error-menu.tsx";

const KEYS = { [RESOLVED]: "resolve", [IGNORED]: "dismiss", [OPEN]: "reopen" } as const;

/** Buttons and keys to change the status of a group or promote it; nothing without the permission. */
export function StatusActions({ group, project }: { group: ErrorGroup; project: Project }) {
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
        <StatusAction key={status} group={group} status={status} onRun={() => setStatus([group], status)} />
      ))}
      <ResolveMenu group={group} />
      {mayPromote && (
        <Button
          icon={CircleDot}
          shortcut={CATALOG.promote.keys}
          busy={promote.isPending}
          onClick={() => promote.mutate(group)}
        >
          Promote
        </Button>
      )}
    </>
  );
}

function StatusAction({
  group,
  status,
  onRun,
}: {
  group: ErrorGroup;
  status: ErrorGroupStatus;
  onRun: () => void;
}) {
  const enabled = canBecome(group, status);
  const { verb } = STATUS_ACTIONS[status];
  useCommand(KEYS[status], onRun, { label: `${verb} ${group.exception_class}`, enabled });
  if (!enabled) return null;
  return (
    <Button
      variant={status === RESOLVED ? "primary" : "default"}
      icon={STATUS_ICONS[status]}
      shortcut={CATALOG[KEYS[status]].keys}
      onClick={onRun}
    >
      {status === OPEN && group.status === OPEN ? "Mark as open" : verb}
    </Button>
  );
}
