import { Pencil } from "lucide-react";
import type { Epic } from "../../../shared/epics.ts";
import type { Issue } from "../../../shared/issues.ts";
import { usePaletteCommand } from "../../keys/commands.ts";
import { usePeople } from "../../data/projects/people.ts";
import { useTickInDescription } from "../../data/tick-task.ts";
import { can, useProject } from "../../data/projects/projects.ts";
import { kindOf, pathOf } from "../../data/save-text.ts";
import { isUploading } from "../../editor/upload-text.ts";
import { MarkdownEditor } from "../../editor/markdown-editor.tsx";
import { countCodePoints } from "../../kit/code-points.ts";
import { FormError } from "../../kit/form-error.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { Markdown } from "../../kit/markdown/markdown.tsx";
import { whenLeft } from "../../kit/when-left.ts";
import { ConflictNotice } from "./conflict-notice.tsx";
import { editOnClick } from "./edit-on-click.ts";
import { EditHint, EDIT_BUTTON } from "./edit-hint.tsx";
import { useFocusOnOpen, useReturnFocus, useTextEdit, type TextEdit } from "./use-text-edit.ts";

/** In code points. */
const MAX_LENGTH = 65_535;

/** The description. A click on it, or its button, edits it in place; leaving the field saves. */
export function Description({ of, editable }: { of: Issue | Epic; editable: boolean }) {
  const text = useTextEdit(of, "description");
  const people = usePeople(of.project_id);
  const tick = useTickInDescription(kindOf(of), of);
  const button = useReturnFocus(text);
  const source = of.description ?? "";
  usePaletteCommand(
    "edit-description",
    `Edit the description of ${"key" in of ? of.key : of.title}`,
    text.begin,
    editable,
  );

  return (
    <section aria-label="Description" className="group min-w-0">
      <div className="flex min-h-8 items-center justify-between gap-2">
        <h2 className="font-semibold">Description</h2>
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
        <DescriptionField of={of} text={text} />
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

function DescriptionField({ of, text }: { of: Issue | Epic; text: TextEdit }) {
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
        projectId={of.project_id}
        attachPath={mayAttach ? `${pathOf(of)}/attachments` : undefined}
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
