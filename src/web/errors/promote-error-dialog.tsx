import { useRef, useState } from "react";
import type { Report } from "../../shared/reports.ts";
import { Button } from "../kit/button.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { Checkbox } from "../kit/checkbox.tsx";

type Props = {
  /** "TimeoutError". */
  what: string;
  /** The open reports that came with the error. */
  reports: readonly Report[];
  isPending: boolean;
  /** What the server says about a report. */
  errorOf: (id: number) => string | undefined;
  onPromote: (reportIds: number[]) => void;
  onClose: () => void;
};

/** Asks which reports of an error are promoted to its issue. */
export function PromoteErrorDialog({ what, reports, isPending, errorOf, onPromote, onClose }: Props) {
  const [unticked, setUnticked] = useState<readonly number[]>([]);
  const confirm = useRef<HTMLButtonElement>(null);
  const chosen = reports.map(({ id }) => id).filter((id) => !unticked.includes(id));
  const toggle = (id: number) =>
    setUnticked((now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now, id]));
  return (
    <Dialog
      open
      size="sm"
      // A request in flight cannot be canceled: the issue would be created without any feedback.
      onClose={() => isPending || onClose()}
      title={`Promote ${what} to an issue`}
      description={
        reports.length === 1
          ? "A report came with this error. It can be promoted to the same issue."
          : `${reports.length} reports came with this error. They can be promoted to the same issue.`
      }
      initialFocus={confirm}
      footer={
        <>
          <CancelButton disabled={isPending} />
          <Button ref={confirm} variant="primary" busy={isPending} onClick={() => onPromote(chosen)}>
            Create issue
          </Button>
        </>
      }
    >
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="sr-only">Reports to promote</legend>
        {reports.map(({ id, title }) => {
          const error = errorOf(id);
          return (
            <Checkbox
              key={id}
              className="max-w-full"
              label={
                <span dir="auto" className="line-clamp-2 wrap-anywhere">
                  {title}
                </span>
              }
              hint={
                error && (
                  <span role="alert" className="text-danger">
                    {error}
                  </span>
                )
              }
              checked={chosen.includes(id)}
              disabled={isPending}
              onChange={() => toggle(id)}
            />
          );
        })}
      </fieldset>
    </Dialog>
  );
}
