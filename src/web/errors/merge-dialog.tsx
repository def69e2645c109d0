import { useState } from "react";
import type { ErrorGroupListItem } from "../../shared/error-groups.ts";
import { useMergeGroups } from "../data/error-grouping.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { RadioGroup } from "../kit/radio-group.tsx";

type Props = {
  /** Of one project and environment. */
  groups: readonly ErrorGroupListItem[];
  open: boolean;
  onClose: () => void;
  onMerged: () => void;
};

/** Asks which of the errors the others are merged into. The one with the most events is suggested. */
export function MergeDialog({ groups, open, onClose, onMerged }: Props) {
  const { mutateAsync } = useMergeGroups();
  const [chosen, setChosen] = useState<number>();
  const most = groups.reduce((a, b) => (b.occurrence_count > a.occurrence_count ? b : a));
  const target = groups.find(({ id }) => id === chosen) ?? most;
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
          options={groups.map(({ id, exception_class, latest_message, occurrence_count }) => ({
            value: String(id),
            label: `${exception_class} #${id}`,
            hint: (
              <span className="line-clamp-2 wrap-anywhere">
                {occurrence_count === 1 ? "1 event" : `${occurrence_count} events`}
                {" · "}
                <bdi>{latest_message}</bdi>
              </span>
            ),
          }))}
        />
        <p>
          Events, comments and history of the others move there, and their new events are counted there. You
          can split them off again later, but the counts so far stay together.
        </p>
      </div>
    </ConfirmDialog>
  );
}
