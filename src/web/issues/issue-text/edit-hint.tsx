import type { MouseEvent } from "react";
import { Button } from "../../kit/button.tsx";
import { Kbd } from "../../kit/kbd.tsx";
import type { TextEdit } from "./use-text-edit.ts";

/** The edit button appears on hover and focus, and always where there is no pointer that hovers. */
export const EDIT_BUTTON =
  "opacity-0 transition-opacity group-hover:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-100";

/** The field would lose the focus, which saves. */
const keepFieldFocused = (event: MouseEvent) => event.preventDefault();

/** How an edit ends, and why an editor is open on a page that was just loaded. */
export function EditHint({ text }: { text: TextEdit }) {
  return (
    <p className="flex flex-wrap items-center gap-1 text-sm text-text-3">
      {text.restored && "Your unsaved changes were restored. "}
      {text.busy ? "Saving…" : !text.restored && "Saved when you leave the field."}
      <span className="[@media(hover:none)]:hidden">
        <Kbd keys="Escape" /> reverts
      </span>
      {text.restored && (
        <Button size="sm" busy={text.busy} onMouseDown={keepFieldFocused} onClick={() => text.save(true)}>
          Save
        </Button>
      )}
      <Button
        size="sm"
        variant="quiet"
        className={text.restored ? undefined : "hidden! [@media(hover:none)]:inline-flex!"}
        onMouseDown={keepFieldFocused}
        onClick={() => text.cancel(false)}
      >
        Discard
      </Button>
    </p>
  );
}
