import { type FormEvent, useState } from "react";
import type { Report } from "../../shared/reports.ts";
import { ApiError, messageOf } from "../api/client.ts";
import { useLanes } from "../data/lanes.ts";
import { usePeople } from "../data/people.ts";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { MarkdownEditor } from "../kit/markdown-editor.tsx";
import { IncludedReports } from "./included-reports.tsx";
import { DESCRIPTION_LENGTH, prefillFrom } from "./issue-prefill.ts";
import { FIRST_FIELDS, type PromoteFields, PromoteRail } from "./promote-rail.tsx";
import { type Promotion, usePromoteReports } from "../data/reports.ts";

type Props = {
  projectId: number;
  reports: readonly Report[];
  onClose: () => void;
  onPromoted: (reports: Report[]) => void;
};

/** Makes one issue of one report or of several. */
export function PromoteDialog({ projectId, reports, onClose, onPromoted }: Props) {
  const [included, setIncluded] = useState(reports);
  // What was written; until then the words of the reports that are included.
  const [written, setWritten] = useState<{ title?: string; description?: string }>({});
  const [fields, setFields] = useState<PromoteFields>(FIRST_FIELDS);
  const [firstLane] = useLanes(projectId);
  const people = usePeople(projectId);
  const promote = usePromoteReports(projectId);
  const text = { ...prefillFrom(included), ...written };
  const refused = promote.error instanceof ApiError ? promote.error : undefined;
  // Of a list the server names the entry: `label_ids.0`.
  const errorOf = (field: string) =>
    refused?.of(field) ??
    refused?.of(Object.keys(refused.errors).find((name) => name.startsWith(`${field}.`)) ?? "");
  const estimate = fields.estimate.trim();
  const estimateError =
    estimate !== "" && !/^\d{1,9}$/.test(estimate) ? "A whole number of minutes." : undefined;

  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (promote.isPending || estimateError !== undefined) return;
    const { lane_id, estimate: _minutes, ...rest } = fields;
    const body: Promotion = {
      ...rest,
      ...text,
      lane_id: lane_id ?? firstLane?.id ?? null,
      estimated_minutes: estimate === "" ? null : Number(estimate),
      report_ids: included.map(({ id }) => id),
    };
    promote.mutate(body, { onSuccess: onPromoted });
  };
  const isTouched =
    Object.keys(written).length > 0 ||
    included.length < reports.length ||
    JSON.stringify(fields) !== JSON.stringify(FIRST_FIELDS);
  const others = refused === undefined ? promote.error : refused.status === 422 ? null : refused;

  return (
    <Dialog
      open
      size="lg"
      // What is under way cannot be called back: the issue would be made, and nobody told.
      onClose={() => !promote.isPending && onClose()}
      title={
        included.length === 1 ? "Promote to an issue" : `Promote ${included.length} reports to one issue`
      }
      dirty={isTouched && !promote.isPending}
      footer={
        <>
          <Button disabled={promote.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form="promote-reports" busy={promote.isPending}>
            Create issue
          </Button>
        </>
      }
    >
      <form
        id="promote-reports"
        noValidate
        onSubmit={send}
        className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_220px]"
      >
        <div className="flex min-w-0 flex-col gap-4">
          <FormError>{others && messageOf(others)}</FormError>
          <Field label="Title" required error={errorOf("title")}>
            <Input
              value={text.title}
              onChange={(event) => setWritten({ ...written, title: event.target.value })}
            />
          </Field>
          <Field label="Description" required error={errorOf("description")}>
            <MarkdownEditor
              value={text.description}
              onChange={(description) => setWritten({ ...written, description })}
              rows={8}
              max={DESCRIPTION_LENGTH}
              people={people.all.map((person) => ({ ...person, id: person.user_id }))}
              onSubmit={send}
            />
          </Field>
          <IncludedReports
            reports={included}
            onRemove={(id) => {
              setIncluded(included.filter((report) => report.id !== id));
              promote.reset();
            }}
            errorOf={(index) => refused?.of(`report_ids.${index}`)}
            error={refused?.of("report_ids")}
          />
        </div>
        <PromoteRail
          projectId={projectId}
          fields={{ ...fields, lane_id: fields.lane_id ?? firstLane?.id ?? null }}
          onChange={(changes) => setFields({ ...fields, ...changes })}
          errorOf={(field) => (field === "estimated_minutes" ? estimateError : undefined) ?? errorOf(field)}
        />
      </form>
    </Dialog>
  );
}
