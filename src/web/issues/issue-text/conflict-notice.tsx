import { GitMerge } from "lucide-react";
import { Button } from "../../kit/button.tsx";
import type { TextEdit } from "./use-text-edit.ts";

type Props = { text: TextEdit; what: string; mayMerge: boolean; onChosen: () => void };

/** Shown when someone else has changed the text that is being edited: their text, and what to do about it. */
export function ConflictNotice({ text, what, mayMerge, onChosen }: Props) {
  if (text.theirs === undefined) return null;
  const choose = (choice: () => void) => () => {
    choice();
    onChosen();
  };
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md border border-warn bg-warn-tint p-3">
      <p className="flex items-start gap-2 font-medium text-warn">
        <GitMerge aria-hidden size={16} className="mt-0.5 shrink-0" />
        Someone else changed the {what} while you were editing. Your version is in the field below.
      </p>
      <div className="rounded-sm bg-surface px-3 py-2">
        <p className="text-sm text-text-3">Their version</p>
        <div className="max-h-60 overflow-y-auto text-read whitespace-pre-wrap">
          {text.theirs === "" ? (
            <span className="text-text-3">Empty: they removed the text.</span>
          ) : (
            text.theirs
          )}
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={choose(text.keepMine)}>
          Keep mine
        </Button>
        <Button size="sm" onClick={choose(() => text.cancel(true))}>
          Use theirs
        </Button>
        {mayMerge && (
          <Button size="sm" onClick={choose(text.merge)}>
            Add theirs below mine
          </Button>
        )}
      </div>
    </div>
  );
}
