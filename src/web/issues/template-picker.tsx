import { useState } from "react";
import type { IssueTemplate } from "../../shared/issue-templates.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { otherTexts, withTemplate } from "./draft-templates.ts";
import type { Draft } from "./new-issue-draft.ts";
import { TemplateField } from "./template-field.tsx";

type Props = { templates: readonly IssueTemplate[]; draft: Draft; onChange: (draft: Draft) => void };

/** Fills the draft from a template. Asks before it replaces a title or description that the user wrote. */
export function TemplatePicker({ templates, draft, onChange }: Props) {
  const [asked, setAsked] = useState<IssueTemplate>();
  const find = (id: number | null) => templates.find((template) => template.id === id);
  const choose = (id: number | null) => {
    const template = find(id);
    const next = withTemplate(draft, find(draft.templateId), template);
    onChange(next);
    if (template !== undefined && Object.keys(otherTexts(next, template)).length > 0) setAsked(template);
  };
  return (
    <TemplateField templates={templates} value={find(draft.templateId)?.id ?? null} onChange={choose}>
      <ConfirmDialog
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title="Replace what you wrote?"
        confirm="Replace"
        cancel="Keep my text"
        tone="primary"
        onConfirm={() => {
          if (asked) onChange({ ...draft, ...otherTexts(draft, asked) });
        }}
      >
        {asked && whatIsReplaced(draft, asked)}
      </ConfirmDialog>
    </TemplateField>
  );
}

function whatIsReplaced(draft: Draft, template: IssueTemplate): string {
  const texts = Object.keys(otherTexts(draft, template)).join(" and ");
  return `The template “${template.name}” has its own ${texts}.`;
}
