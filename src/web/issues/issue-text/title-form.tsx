import { useRef } from "react";
import { Button } from "../../kit/button.tsx";
import { Field } from "../../kit/field.tsx";
import { Input } from "../../kit/input.tsx";
import { ConflictNotice } from "./conflict-notice.tsx";
import { RestoredHint } from "./restored-hint.tsx";
import type { TextEdit } from "./use-text-edit.ts";

/** The title in a field. Enter and ⌘↵ save, Esc cancels. */
export function TitleForm({ text }: { text: TextEdit }) {
  const field = useRef<HTMLInputElement>(null);
  if (!text.edit) return null;
  return (
    <form
      aria-label="Edit title"
      className="flex flex-col gap-2 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.theirs === undefined) text.save();
      }}
    >
      <ConflictNotice text={text} what="title" mayMerge={false} onChosen={() => field.current?.focus()} />
      <div className="flex flex-wrap items-start gap-2">
        <Field label="Title" hideLabel error={text.error} className="min-w-48 flex-1">
          <Input
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user asked to edit it
            autoFocus={!text.restored}
            ref={field}
            value={text.edit.text}
            className="text-read font-medium"
            onFocus={(event) => event.target.select()}
            onChange={(event) => text.setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return;
              if (event.key === "Escape") text.cancel();
              else if (event.key === "Enter" && (event.metaKey || event.ctrlKey))
                event.currentTarget.form?.requestSubmit();
              else return;
              event.preventDefault();
            }}
          />
        </Field>
        <Button onClick={text.cancel} shortcut="Escape">
          Cancel
        </Button>
        <Button
          variant="primary"
          type="submit"
          busy={text.busy}
          disabled={text.edit.text.trim() === "" || text.theirs !== undefined}
          shortcut="mod+Enter"
        >
          Save
        </Button>
      </div>
      {text.restored && <RestoredHint />}
    </form>
  );
}
