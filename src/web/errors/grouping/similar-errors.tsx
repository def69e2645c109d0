import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMergeGroups } from "../../data/errors/error-grouping.ts";
import { Button } from "../../kit/button.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { GroupingEntry, GroupingPart, type GroupingPartProps } from "./grouping-part.tsx";

/** Errors that differ in one line, to merge into this one. */
export function SimilarErrors({
  project,
  group,
  grouping: { rule, near, near_groups },
  mayUpdate,
}: GroupingPartProps) {
  const { mutateAsync } = useMergeGroups();
  const [asked, setAsked] = useState<{ id: number; name: string }>();
  const [open, setOpen] = useState(false);
  const ask = (other: { id: number; name: string }) => {
    setAsked(other);
    setOpen(true);
  };
  if (rule !== "class_and_trace") return null;
  return (
    <GroupingPart
      title="Similar errors"
      intro={near.length === 0 && "No other error differs in a single line."}
    >
      {near.map(({ error_group_id: id, differs_in }) => {
        const other = near_groups.find((one) => one.id === id);
        const name = `${other?.exception_class ?? "Error"} #${id}`;
        return (
          <GroupingEntry
            key={id}
            action={
              mayUpdate && (
                <Button size="sm" aria-label={`Merge into this: ${name}`} onClick={() => ask({ id, name })}>
                  Merge into this
                </Button>
              )
            }
          >
            <Link
              to="/projects/$projectKey/errors/$errorGroupId"
              params={{ projectKey: project.key, errorGroupId: String(id) }}
              className="font-medium text-accent-text hover:underline"
            >
              <bdi>{name}</bdi>
            </Link>
            <Difference message={other?.latest_message} line={differs_in} />
          </GroupingEntry>
        );
      })}
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Merge ${asked?.name ?? ""} into this error?`}
        confirm="Merge"
        tone="primary"
        onConfirm={() => mutateAsync({ projectId: project.id, id: group.id, ids: asked ? [asked.id] : [] })}
      >
        Its events, comments and history move here, and its new events are counted here. You can split it off
        again later, but the counts so far stay together.
      </ConfirmDialog>
    </GroupingPart>
  );
}

/** `line`: the line that differs, or null if one is missing. */
function Difference({ message, line }: { message: string | undefined; line: string | null }) {
  return (
    <>
      {message !== undefined && (
        <span dir="auto" className="block truncate text-text-2">
          {message}
        </span>
      )}
      <span className="block text-sm wrap-anywhere text-text-3">
        {line === null ? (
          "Has one line fewer"
        ) : (
          <>
            Differs in <code dir="ltr">{line}</code>
          </>
        )}
      </span>
    </>
  );
}
