import { useLayoutEffect } from "react";
import { growToFit } from "../../kit/field.tsx";
import { FormError } from "../../kit/form-error.tsx";
import { whenLeft } from "../../kit/when-left.ts";
import { ConflictNotice } from "./conflict-notice.tsx";
import { editOnClick } from "./edit-on-click.ts";
import { EditHint } from "./edit-hint.tsx";
import { useFocusOnOpen, type TextEdit } from "./use-text-edit.ts";

type Props = { text: TextEdit; title: string; editable: boolean };

const ERROR_ID = "title-error";

/** The title, for a heading. A click edits it in place; Enter or leaving the field saves, Esc reverts. */
export function TitleText({ text, title, editable }: Props) {
  if (text.edit && editable) return <TitleField text={text} />;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the button beside it is for the keyboard
    <span
      dir="auto"
      className={editable ? "cursor-text" : undefined}
      onClick={editable ? editOnClick(title, text.begin) : undefined}
    >
      {title}
    </span>
  );
}

function TitleField({ text }: { text: TextEdit }) {
  const { edit, field } = text;
  useLayoutEffect(() => growToFit(field.current));
  useFocusOnOpen(text);
  if (!edit) return null;
  const save = (byKey: boolean) => {
    if (text.theirs === undefined) text.save(byKey);
  };
  return (
    <textarea
      ref={field}
      dir="auto"
      rows={1}
      aria-label="Title"
      enterKeyHint="done"
      aria-invalid={text.error === undefined ? undefined : true}
      aria-describedby={text.error === undefined ? undefined : ERROR_ID}
      aria-busy={text.busy || undefined}
      value={edit.text}
      className="-mx-1 block field-sizing-content w-full min-w-48 resize-none rounded-sm bg-surface px-1"
      // A title is a single line, which may wrap.
      onChange={(event) => text.setText(event.target.value.replaceAll(/[\r\n]+/g, " "))}
      onBlur={(event) => whenLeft(event, () => save(false))}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Escape") text.cancel(true);
        else if (event.key === "Enter") save(true);
        else return;
        event.preventDefault();
      }}
    />
  );
}

/** What belongs below the title while it is edited: a conflict, an error, how to end. */
export function TitleNotes({ text }: { text: TextEdit }) {
  if (!text.edit) return null;
  return (
    <div className="flex flex-col gap-2">
      <ConflictNotice
        text={text}
        what="title"
        mayMerge={false}
        onChosen={() => text.field.current?.focus()}
      />
      <div id={ERROR_ID}>
        <FormError>{text.error}</FormError>
      </div>
      <EditHint text={text} />
    </div>
  );
}
