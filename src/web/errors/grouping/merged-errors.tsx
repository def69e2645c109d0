import { useState } from "react";
import { useSplitGroup } from "../../data/errors/error-grouping.ts";
import { Button } from "../../kit/button.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { Time } from "../../kit/dates/time.tsx";
import { GroupingEntry, GroupingPart, type GroupingPartProps } from "./grouping-part.tsx";

/** Errors that were merged into this one, to split off again. */
export function MergedErrors({
  project,
  group,
  grouping: { fingerprints, merged },
  mayUpdate,
}: GroupingPartProps) {
  const { mutateAsync } = useSplitGroup();
  const [asked, setAsked] = useState<{ fingerprint: string; name: string }>();
  const [open, setOpen] = useState(false);
  if (merged.length === 0) return null;
  return (
    <GroupingPart
      title="Merged errors"
      intro="After a split, new events form an error of their own. The events counted so far stay here."
    >
      {merged.map(({ fingerprint, exception_class, message }) => {
        const at = fingerprints.find((one) => one.fingerprint === fingerprint)?.merged_at;
        return (
          <GroupingEntry
            key={fingerprint}
            action={
              mayUpdate && (
                <Button
                  size="sm"
                  aria-label={`Split off ${exception_class}`}
                  onClick={() => {
                    setAsked({ fingerprint, name: exception_class });
                    setOpen(true);
                  }}
                >
                  Split off
                </Button>
              )
            }
          >
            <bdi className="font-medium">{exception_class}</bdi>
            <span dir="auto" className="block truncate text-text-2">
              {message}
            </span>
            <span className="block text-sm text-text-3">
              <span title={fingerprint}>{`Fingerprint ${fingerprint.slice(0, 8)}`}</span>
              {at && (
                <>
                  , merged <Time at={at} />
                </>
              )}
            </span>
          </GroupingEntry>
        );
      })}
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Split off ${asked?.name ?? ""}?`}
        confirm="Split off"
        tone="primary"
        onConfirm={() =>
          mutateAsync({ projectId: project.id, id: group.id, fingerprint: asked?.fingerprint ?? "" })
        }
      >
        From now on, its events form an error of their own. The events counted so far stay in this one.
      </ConfirmDialog>
    </GroupingPart>
  );
}
