import { useState } from "react";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import { useMergeGroups } from "../../data/errors/error-grouping.ts";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { countOf } from "../../kit/count-text.ts";
import { FormError } from "../../kit/form-error.tsx";
import { RadioGroup } from "../../kit/radio-group.tsx";
import { suggestedTarget, tooManyMoved } from "./merge-limit.ts";

type Props = {
  /** Of one project and environment. */
  groups: readonly ErrorGroupListItem[];
  open: boolean;
  onClose: () => void;
  onMerged: () => void;
};

/** Asks which of the errors the others are merged into. */
export function MergeDialog({ groups, open, onClose, onMerged }: Props) {
  const { mutateAsync } = useMergeGroups();
  const [chosen, setChosen] = useState<number>();
  const target = groups.find(({ id }) => id === chosen) ?? suggestedTarget(groups);
  if (!target) return null;
  const ids = groups.filter(({ id }) => id !== target.id).map(({ id }) => id);
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Merge ${groups.length} errors?`}
      confirm="Merge"
      tone="primary"
      onConfirm={() => mutateAsync({ projectId: target.project_id, id: target.id, ids })}
      onDone={onMerged}
    >
      <div className="flex flex-col gap-3">
        <RadioGroup
          label="Merge into"
          value={String(target.id)}
          onChange={(id) => setChosen(Number(id))}
          options={groups.map(
            ({ id, exception_class, latest_message, occurrence_count, affected_users }) => ({
              value: String(id),
              label: `${exception_class} #${id}`,
              hint: (
                <span className="line-clamp-2 wrap-anywhere">
                  {countOf(occurrence_count, "event")}
                  {affected_users !== null && `, ${countOf(affected_users, "user")}`}
                  {" · "}
                  <bdi>{latest_message}</bdi>
                </span>
              ),
            }),
          )}
        />
        <p>
          Events, comments and history of the others move there, and their new events are counted there. You
          can split them off again later, but the counts so far stay together.
        </p>
        <FormError>{tooManyMoved(groups, target.id) ?? null}</FormError>
      </div>
    </ConfirmDialog>
  );
}
