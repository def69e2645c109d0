import { CircleDot } from "lucide-react";
import { type MouseEvent, use } from "react";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { CATALOG } from "../../keys/catalog.ts";
import { useCommand, usePaletteCommand } from "../../keys/commands.ts";
import { can } from "../../data/projects/projects.ts";
import { Button } from "../../kit/button.tsx";
import { TimeZoneContext, useNow } from "../../kit/dates/time.tsx";
import { ErrorMenu } from "./error-menu.tsx";
import { STATUS_ICONS } from "./group-entries.ts";
import { SplitButton } from "./split-button.tsx";
import { canBecome, IGNORED, OPEN, RESOLVED, type StatusChange } from "../../data/errors/group-status.ts";
import { releaseEntries, snoozeEntries, type StatusQuestion } from "./status-entries.ts";
import { useSetStatus } from "../../data/errors/set-status.ts";
import { usePromoteError } from "./use-promote-error.tsx";
import { useStatusQuestion } from "./use-status-question.tsx";

/**
 * Buttons and keys to change the status of a group or promote it; nothing without the permission. On narrow screens, a
 * menu has all but the first.
 */
export function StatusActions({ group, project }: { group: ErrorGroup; project: Project }) {
  const setStatus = useSetStatus();
  const [askFor, dialog] = useStatusQuestion<ErrorGroup>(setStatus);
  const promotion = usePromoteError(() => project);
  const promote = () => promotion.promote(group);
  const may = can(project, "error-groups:update");
  const mayPromote = may && group.linked_issue_id === null;
  const change = (to: StatusChange) => setStatus([group], to);
  const ask = (question: StatusQuestion) => askFor([group], question);
  const { mayResolve } = rightsTo(group, may);
  useStatusCommands({ group, may, change, ask });
  useCommand("promote", promote, {
    label: `Promote ${group.exception_class} to an issue`,
    enabled: mayPromote && !promotion.isPending,
  });
  if (!may) return null;
  const handlers = { onChange: change, onAsk: ask };
  return (
    <>
      <SplitButton
        variant={mayResolve ? "primary" : "default"}
        icon={STATUS_ICONS[RESOLVED]}
        shortcut={CATALOG.resolve.keys}
        data-control={RESOLVED}
        data-replaced-by="reopen"
        onClick={mayResolve ? onSingleClick(() => change({ status: RESOLVED })) : undefined}
        more="Fixed in"
        items={() => releaseEntries(handlers)}
        hideMenu
      >
        Resolve
      </SplitButton>
      <span className="flex gap-2 max-sm:hidden">
        <IgnoreAndReopen group={group} {...handlers} />
        {mayPromote && (
          <Button
            icon={CircleDot}
            shortcut={CATALOG.promote.keys}
            busy={promotion.isPending}
            onClick={onSingleClick(promote)}
          >
            Promote
          </Button>
        )}
      </span>
      <span className="sm:hidden">
        <ErrorMenu group={group} project={project} {...handlers} onPromote={promote} />
      </span>
      {dialog}
      {promotion.dialog}
    </>
  );
}

type HandlersProps = {
  group: ErrorGroup;
  onChange: (to: StatusChange) => void;
  onAsk: (question: StatusQuestion) => void;
};

/** Only for people who may change the status. */
function IgnoreAndReopen({ group, onChange, onAsk }: HandlersProps) {
  const timeZone = use(TimeZoneContext);
  const now = useNow();
  const isSnoozed = group.snoozed_until !== null;
  const { mayIgnore, mayReopen } = rightsTo(group, true);
  return (
    <>
      <SplitButton
        icon={STATUS_ICONS[IGNORED]}
        shortcut={CATALOG.dismiss.keys}
        data-control={IGNORED}
        data-replaced-by="reopen"
        onClick={mayIgnore ? onSingleClick(() => onChange({ status: IGNORED })) : undefined}
        more="Snooze"
        items={() => snoozeEntries({ isSnoozed, now: new Date(now), timeZone, onChange, onAsk })}
      >
        Ignore
      </SplitButton>
      {mayReopen && (
        <Button
          icon={STATUS_ICONS[OPEN]}
          shortcut={CATALOG.reopen.keys}
          data-control="reopen"
          data-replaced-by={group.status}
          onClick={onSingleClick(() => onChange({ status: OPEN }))}
        >
          {group.status === OPEN ? "Mark as open" : "Reopen"}
        </Button>
      )}
    </>
  );
}

/** Which statuses the buttons and keys can give to the group. */
const rightsTo = (group: ErrorGroup, may: boolean) => ({
  mayResolve: may && canBecome(group, RESOLVED),
  mayIgnore: may && canBecome(group, IGNORED),
  mayReopen: may && canBecome(group, OPEN),
});

type CommandsOptions = {
  group: ErrorGroup;
  may: boolean;
  change: (to: StatusChange) => void;
  ask: (question: StatusQuestion) => void;
};

function useStatusCommands({ group, may, change, ask }: CommandsOptions) {
  const name = group.exception_class;
  const { mayResolve, mayIgnore, mayReopen } = rightsTo(group, may);
  useCommand("resolve", () => change({ status: RESOLVED }), {
    label: `Resolve ${name}`,
    enabled: mayResolve,
  });
  useCommand("dismiss", () => change({ status: IGNORED }), { label: `Ignore ${name}`, enabled: mayIgnore });
  useCommand("reopen", () => change({ status: OPEN }), { label: `Reopen ${name}`, enabled: mayReopen });
  useCommand("snooze", () => ask({ about: "snooze", field: "at" }), {
    label: `Snooze ${name}`,
    enabled: may,
  });
  usePaletteCommand(
    "resolve-next",
    `Resolve ${name} in the next release`,
    () => change({ status: RESOLVED, in: "next_release" }),
    may,
  );
  usePaletteCommand("resolve-in", `Resolve ${name} in a release`, () => ask({ about: "release" }), may);
}

/** The buttons move when the status changes, so the second click of a double click would be on another one. */
const onSingleClick = (run: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) run();
};
