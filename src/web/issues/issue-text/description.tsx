import { Pencil } from "lucide-react";
import type { Issue } from "../../../shared/issues.ts";
import { usePaletteCommand } from "../../keys/commands.ts";
import { usePeople } from "../../data/people.ts";
import { useTickInDescription } from "../../data/tick-task.ts";
import { can, useProject } from "../../data/projects.ts";
import { isUploading } from "../../editor/upload-text.ts";
import { MarkdownEditor } from "../../editor/markdown-editor.tsx";
import { countCodePoints } from "../../kit/code-points.ts";
import { FormError } from "../../kit/form-error.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { Markdown } from "../../kit/markdown.tsx";
import { ConflictNotice } from "./conflict-notice.tsx";
import { editOnClick } from "./edit-on-click.ts";
import { EditHint, EDIT_BUTTON } from "./edit-hint.tsx";
import { useFocusOnOpen, useReturnFocus, useTextEdit, whenLeft, type TextEdit } from "./use-text-edit.ts";

/** In code points. */
const MAX_LENGTH = 65_535;

/** The description. A click on it, or its button, edits it in place; leaving the field saves. */
export function Description({ issue, editable }: { issue: Issue; editable: boolean }) {
  const text = useTextEdit(issue, "description");
  const people = usePeople(issue.project_id);
  const tick = useTickInDescription("issue", issue);
  const button = useReturnFocus(text);
  const source = issue.description ?? "";
  usePaletteCommand("edit-description", `Edit the description of ${issue.key}`, text.begin, editable);

  return (
    <section aria-label="Description" className="group min-w-0">
      <div className="flex min-h-8 items-center justify-between gap-2">
        <h2 className="text-sm font-medium text-text-3">Description</h2>
        {editable && !text.edit && (
          <IconButton
            size="sm"
            ref={button}
            icon={Pencil}
            label="Edit description"
            className={EDIT_BUTTON}
            onClick={() => text.begin()}
          />
        )}
      </div>
      {text.edit && editable ? (
        <DescriptionField issue={issue} text={text} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the button above is for the keyboard
        <div
          className={editable ? "min-h-8 cursor-text" : undefined}
          onClick={editable ? editOnClick(source, text.begin) : undefined}
        >
          {source === "" ? (
            <p className="text-text-3">{editable ? "Add a description" : "No description."}</p>
          ) : (
            <Markdown
              text={source}
              mentions={people.all.map(({ username }) => username)}
              onTick={editable ? tick : undefined}
            />
          )}
        </div>
      )}
    </section>
  );
}

function DescriptionField({ issue, text }: { issue: Issue; text: TextEdit }) {
  const { edit, field } = text;
  const mayAttach = can(useProject(), "attachments:create");
  useFocusOnOpen(text);
  if (!edit) return null;
  const tooLong = countCodePoints(edit.text) > MAX_LENGTH;
  const save = (byKey: boolean) => {
    if (!tooLong && !isUploading(edit.text) && text.theirs === undefined) text.save(byKey);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc anywhere in it, as in a dialog
    <div
      role="group"
      aria-label="Edit description"
      aria-busy={text.busy || undefined}
      className="flex flex-col gap-2"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented || event.nativeEvent.isComposing) return;
        event.preventDefault();
        text.cancel(true);
      }}
      onBlur={(event) => whenLeft(event, () => save(false))}
    >
      <ConflictNotice text={text} what="description" mayMerge onChosen={() => field.current?.focus()} />
      <MarkdownEditor
        label="Description"
        value={edit.text}
        onChange={text.setText}
        projectId={issue.project_id}
        attachPath={
          mayAttach ? `/api/projects/${issue.project_id}/issues/${issue.id}/attachments` : undefined
        }
        max={MAX_LENGTH}
        rows={10}
        onSubmit={() => save(true)}
        ref={field}
      />
      <FormError>{text.error}</FormError>
      <EditHint text={text} />
    </div>
  );
}
