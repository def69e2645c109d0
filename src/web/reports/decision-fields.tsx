import { SlidersHorizontal } from "lucide-react";
import { type FormEvent, useEffect, useRef } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { ApiError, messageOf } from "../api/client.ts";
import { useLanes } from "../data/projects/lanes.ts";
import { useProfile } from "../data/account/session.ts";
import { useFormDraft } from "../forms/use-form-draft.ts";
import { parseEstimate } from "../marks/estimate.ts";
import { Button } from "../kit/button.tsx";
import { Field } from "../kit/field.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Input } from "../kit/input.tsx";
import { toast } from "../kit/notices/toast.ts";
import { MainFields } from "../promotion/main-fields.tsx";
import {
  issueFieldsOf,
  PROMOTE_START,
  promoteDraftOf,
  promoteErrorOf,
  proposedType,
} from "../promotion/promote-fields.ts";
import { OfferedErrors } from "../promotion/offered-errors.tsx";
import type { Deciding } from "./use-deciding.ts";
import { useOfferedErrors } from "../promotion/use-offered-errors.ts";
import { useOriginals } from "./use-originals.ts";
import { useSendPromotion } from "../data/reports/use-send-promotion.ts";

type Props = {
  project: Project;
  report: Report;
  deciding: Deciding;
  /** Asks what the report is a duplicate of. */
  onDuplicate: () => void;
};

/** The fields of the issue to which the open report will be promoted, so that most promotions need no dialog. */
export function DecisionFields({ project, report, deciding, onDuplicate }: Props) {
  const { draft, text, fields, offered, isAsked, errorOf } = useDecision({ project, report, deciding });
  return (
    <form
      aria-labelledby="new-issue-of-report"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        deciding.ask(report.id);
      }}
      className="flex flex-col gap-2 border-b border-line bg-canvas px-4 py-3"
    >
      <div className="flex items-center justify-between gap-2">
        <h3 id="new-issue-of-report" className="text-sm text-text-3">
          New issue
        </h3>
        <SimilarCount project={project} report={report} onDuplicate={onDuplicate} />
      </div>
      <div className="flex items-start gap-2">
        <Field label="Title of the issue" hideLabel error={errorOf("title")} className="flex-1">
          <Input
            value={text.title}
            readOnly={isAsked}
            onChange={(event) => draft.change({ title: event.target.value })}
          />
        </Field>
        <IconButton
          label="All fields"
          variant="default"
          icon={SlidersHorizontal}
          onClick={() => deciding.openDialog(report)}
        />
      </div>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        <MainFields
          hideLabels
          projectId={project.id}
          fields={fields}
          onChange={draft.change}
          errorOf={errorOf}
        />
      </div>
      <OfferedErrors offered={offered} disabled={isAsked} />
      {draft.fields.description !== null && (
        <p className="text-sm text-text-3">The description was edited in “All fields”.</p>
      )}
    </form>
  );
}

/** Leads to the reports and issues that resemble the report. Its line is as high without it, so that nothing moves. */
function SimilarCount({ project, report, onDuplicate }: Omit<Props, "deciding">) {
  const { items } = useOriginals(project, [report]);
  if (items.length === 0) return null;
  return (
    <Button variant="quiet" size="sm" shortcut="d" className="-my-1 -me-2" onClick={onDuplicate}>
      <span>
        {items.length} similar<span className="sr-only"> {items.length === 1 ? "item" : "items"}</span>
      </span>
    </Button>
  );
}

/** The draft of the issue. It is sent once `deciding` asks for it and the errors of the report are known. */
function useDecision({ project, report, deciding }: Omit<Props, "onDuplicate">) {
  const reports = [report];
  const draft = useFormDraft(useProfile().id, promoteDraftOf(reports), PROMOTE_START);
  const [firstLane] = useLanes(project.id);
  const promote = useSendPromotion(project);
  const offered = useOfferedErrors(project.id, reports);
  const type = draft.fields.type ?? proposedType(offered.chosen.length > 0, reports);
  const isAsked = deciding.asked === report.id;
  const errorOf = (field: string) => promoteErrorOf(promote.error, field);
  const text = {
    title: draft.fields.title ?? report.title,
    description: draft.fields.description ?? report.description,
  };
  /** As shown. */
  const fields = {
    ...draft.fields,
    type,
    lane_id: draft.fields.lane_id ?? firstLane?.id ?? null,
  };

  const send = async () => {
    const minutes = parseEstimate(draft.fields.estimate) ?? null;
    const body = issueFieldsOf(draft.fields, text, { firstLane: firstLane?.id, minutes, type });
    try {
      await promote.mutateAsync({
        reportIds: [report.id],
        errorIds: offered.chosen,
        to: { fields: body },
      });
      draft.forget();
      deciding.settle(report.id, true);
    } catch (error) {
      deciding.settle(report.id, false);
      const why = error instanceof ApiError ? error.messageFor("report_ids.0") : undefined;
      toast({
        title: `“${report.title}” could not be promoted.`,
        description: why === undefined ? messageOf(error) : `It ${why}.`,
        tone: "danger",
        subjects: [`report:${report.id}`],
      });
    }
  };
  const isSending = useRef(false);
  useEffect(() => {
    // Only then is it known which errors can be linked.
    if (!isAsked || isSending.current || offered.isLoading) return;
    isSending.current = true;
    void send().finally(() => (isSending.current = false));
  });
  return { draft, text, fields, offered, isAsked, errorOf };
}
