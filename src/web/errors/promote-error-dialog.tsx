import { useRef, useState } from "react";
import type { IssueTemplate } from "../../shared/issue-templates.ts";
import type { Report } from "../../shared/reports.ts";
import { TemplateField } from "../issues/template-field.tsx";
import { Button } from "../kit/button.tsx";
import { Checkbox } from "../kit/checkbox.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";

export type Promotion = { reportIds: number[]; templateId: number | null };

type Props = {
  /** "TimeoutError". */
  what: string;
  /** The open reports that came with the error. */
  reports: readonly Report[];
  /** The project's templates. */
  templates: readonly IssueTemplate[];
  isPending: boolean;
  /** The server's error for a report. */
  reportErrorOf: (id: number) => string | undefined;
  templateError: string | undefined;
  onPromote: (promotion: Promotion) => void;
  onClose: () => void;
};

/** Asks which template fills the issue of an error, and which reports are promoted to it. */
export function PromoteErrorDialog(props: Props) {
  const { what, reports, templates, isPending, reportErrorOf, templateError, onPromote, onClose } = props;
  const [templateId, setTemplateId] = useState<number | null>(null);
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
      description={reports.length === 0 ? undefined : reportsText(reports.length)}
      initialFocus={confirm}
      footer={
        <>
          <CancelButton disabled={isPending} />
          <Button
            ref={confirm}
            variant="primary"
            busy={isPending}
            onClick={() => onPromote({ reportIds: chosen, templateId })}
          >
            Create issue
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {templates.length > 0 && (
          <TemplateField
            hint="The text of the error is kept."
            error={templateError}
            templates={templates}
            value={templateId}
            onChange={setTemplateId}
          />
        )}
        {reports.length > 0 && (
          <fieldset className="flex min-w-0 flex-col gap-2">
            <legend className="sr-only">Reports to promote</legend>
            {reports.map(({ id, title }) => {
              const error = reportErrorOf(id);
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
        )}
      </div>
    </Dialog>
  );
}

const reportsText = (count: number) =>
  count === 1
    ? "A report came with this error. It can be promoted to the same issue."
    : `${count} reports came with this error. They can be promoted to the same issue.`;
