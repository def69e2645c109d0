import { Pencil } from "lucide-react";
import { useRef } from "react";
import type { Issue } from "../../../shared/issues.ts";
import { usePaletteCommand } from "../../keys/commands.ts";
import { usePeople } from "../../data/people.ts";
import { useTickInDescription } from "../../data/tick-task.ts";
import { Button } from "../../kit/button.tsx";
import { countCodePoints } from "../../kit/code-points.ts";
import { FormError } from "../../kit/form-error.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { Markdown } from "../../kit/markdown.tsx";
import { MarkdownEditor } from "../../editor/markdown-editor.tsx";
import { ConflictNotice } from "./conflict-notice.tsx";
import { RestoredHint } from "./restored-hint.tsx";
import { useReturnFocus, useTextEdit, type TextEdit } from "./use-text-edit.ts";

/** In code points. */
const MAX_LENGTH = 65_535;

/** The description, edited in place. */
export function Description({ issue, editable }: { issue: Issue; editable: boolean }) {
  const text = useTextEdit(issue, "description");
  const people = usePeople(issue.project_id);
  const tick = useTickInDescription("issue", issue);
  const button = useReturnFocus(text.edit !== undefined);
  usePaletteCommand("edit-description", `Edit the description of ${issue.key}`, text.begin, editable);

  return (
    <section aria-label="Description" className="min-w-0">
      <div className="flex min-h-8 items-center justify-between gap-2">
        <h2 className="text-sm font-medium text-text-3">Description</h2>
        {editable && !text.edit && (
          <IconButton size="sm" ref={button} icon={Pencil} label="Edit description" onClick={text.begin} />
        )}
      </div>
      {text.edit && editable ? (
        <DescriptionForm issue={issue} text={text} />
      ) : issue.description ? (
        <Markdown
          text={issue.description}
          mentions={people.all.map(({ username }) => username)}
          onTick={editable ? tick : undefined}
        />
      ) : (
        <p className="text-text-3">No description.</p>
      )}
    </section>
  );
}

function DescriptionForm({ issue, text }: { issue: Issue; text: TextEdit }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { edit } = text;
  if (!edit) return null;
  const tooLong = countCodePoints(edit.text) > MAX_LENGTH;
  const hasConflict = text.theirs !== undefined;
  const save = () => {
    if (!tooLong && !hasConflict) text.save();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc anywhere in it, as in a dialog
    <form
      aria-label="Edit description"
      className="flex flex-col gap-2"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented || event.nativeEvent.isComposing) return;
        event.preventDefault();
        text.cancel();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <ConflictNotice text={text} what="description" mayMerge onChosen={() => field.current?.focus()} />
      <MarkdownEditor
        label="Description"
        value={edit.text}
        onChange={text.setText}
        projectId={issue.project_id}
        max={MAX_LENGTH}
        rows={10}
        onSubmit={save}
        ref={(element) => {
          if (element && field.current === null && !text.restored) element.focus();
          field.current = element;
        }}
      />
      <FormError>{text.error}</FormError>
      <div className="flex flex-wrap items-center justify-end gap-2">
        {text.restored && <RestoredHint />}
        <Button onClick={text.cancel} shortcut="Escape">
          Cancel
        </Button>
        <Button
          variant="primary"
          type="submit"
          busy={text.busy}
          disabled={tooLong || hasConflict}
          shortcut="mod+Enter"
        >
          Save
        </Button>
      </div>
    </form>
  );
}
