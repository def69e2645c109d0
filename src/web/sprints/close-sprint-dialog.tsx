import { useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { messageOf } from "../api/client.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { Button } from "../kit/button.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { RadioGroup } from "../kit/radio-group.tsx";
import { Select } from "../kit/select.tsx";
import { toast } from "../kit/notices/toast.ts";
import { type Unfinished, useCloseSprint } from "../data/issues/close-sprint.ts";
import { useSprints } from "../data/projects/sprints.ts";
import { sprintsIn } from "./sprint-sums.ts";

type Where = "next" | "none" | "stay";

type Props = {
  sprint: Sprint;
  /** The issues of the sprint, as cached. */
  issues: readonly Issue[];
  onClose: () => void;
};

/** Closes a sprint, and asks what to do with its unfinished issues. */
export function CloseSprintDialog({ sprint, issues, onClose }: Props) {
  const project = useProject();
  const targets = openSprints(useSprints(project.id)).filter(({ id }) => id !== sprint.id);
  const mayMove = can(project, "issues:update");
  const open = issues.filter(({ closed_at }) => closed_at === null).length;
  const [where, setWhere] = useState<Where>(
    open === 0 || !mayMove ? "stay" : targets.length > 0 ? "next" : "none",
  );
  const [target, setTarget] = useState<string>();
  const targetId = target ?? String(targets[0]?.id ?? "");

  const { run, progress, busy, error } = useClosing(sprint, onClose);
  const unfinished: Unfinished =
    where === "stay" ? "stay" : { sprintId: where === "next" ? Number(targetId) : null };
  return (
    <Dialog
      open
      onClose={busy ? stay : onClose}
      title={`Close ${sprint.name}`}
      description={progressText(issues.length, open)}
      footer={
        <>
          {progress && (
            <span role="status" className="flex-1 text-text-2">
              {`Moved ${progress.moved} of ${progress.of}`}
            </span>
          )}
          <CancelButton disabled={busy} />
          <Button
            type="submit"
            variant="primary"
            shortcut="mod+Enter"
            busy={busy}
            onClick={() => void run(unfinished)}
          >
            Close sprint
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <FormError>{error !== undefined && messageOf(error)}</FormError>
        {open > 0 && mayMove && (
          <UnfinishedIssues
            where={where}
            onWhere={setWhere}
            targets={targets}
            targetId={targetId}
            onTarget={setTarget}
          />
        )}
        {open > 0 && !mayMove && (
          <p className="text-text-2">
            Unfinished issues stay in the sprint, because your role doesn’t allow you to change issues.
          </p>
        )}
      </div>
    </Dialog>
  );
}

const openSprints = (sprints: readonly Sprint[]) => [
  ...sprintsIn(sprints, "planned"),
  ...sprintsIn(sprints, "active"),
];

function progressText(count: number, open: number): string {
  if (count === 0) return "It has no issues.";
  const done = `${count - open} of ${count} ${count === 1 ? "issue is" : "issues are"} done`;
  return open === 0 ? `${done}.` : `${done}, ${open} unfinished.`;
}

function useClosing(sprint: Sprint, onClosed: () => void) {
  const close = useCloseSprint(sprint.project_id);
  const [progress, setProgress] = useState<{ moved: number; of: number }>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (unfinished: Unfinished) => {
    setBusy(true);
    setError(undefined);
    try {
      const moved = await close(sprint, unfinished, (count, of) => setProgress({ moved: count, of }));
      toast({
        title: `${sprint.name} closed`,
        description:
          moved === 0 ? undefined : `${moved} unfinished ${moved === 1 ? "issue" : "issues"} moved.`,
        tone: "success",
      });
      onClosed();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
      setProgress(undefined);
    }
  };
  return { run, progress, busy, error };
}

type UnfinishedProps = {
  where: Where;
  onWhere: (where: Where) => void;
  /** The sprints to which they can move. */
  targets: readonly Sprint[];
  targetId: string;
  onTarget: (id: string) => void;
};

/** Asks what to do with the unfinished issues. */
function UnfinishedIssues({ where, onWhere, targets, targetId, onTarget }: UnfinishedProps) {
  return (
    <>
      <RadioGroup<Where>
        label="Unfinished issues"
        value={where}
        onChange={onWhere}
        options={[
          {
            value: "next",
            label: "Move to another sprint",
            disabled: targets.length === 0,
            ...(targets.length === 0 ? { hint: "There is no other open sprint." } : {}),
          },
          { value: "none", label: "Remove from the sprint", hint: "They stay in their lanes." },
          { value: "stay", label: "Keep in this sprint" },
        ]}
      />
      {where === "next" && (
        <Field label="Sprint">
          <Select
            value={targetId}
            onChange={onTarget}
            options={targets.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        </Field>
      )}
    </>
  );
}

/** The dialog stays open while issues are being moved. */
function stay() {}
