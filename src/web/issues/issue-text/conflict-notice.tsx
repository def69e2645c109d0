import { GitMerge } from "lucide-react";
import { Button } from "../../kit/button.tsx";
import type { TextEdit } from "./use-text-edit.ts";

type Props = { text: TextEdit; what: string; mayMerge: boolean; onChosen: () => void };

/** Somebody else changed the text that is being edited: theirs, beside one's own in the field below, and the choice. */
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
        Somebody else changed the {what} while you were editing. Yours is in the field below.
      </p>
      <div className="rounded-sm bg-surface px-3 py-2">
        <p className="text-sm text-text-3">Theirs</p>
        <div className="max-h-60 overflow-y-auto text-read whitespace-pre-wrap">
          {text.theirs === "" ? <span className="text-text-3">Nothing: they removed it.</span> : text.theirs}
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={choose(text.keepMine)}>
          Keep mine
        </Button>
        <Button size="sm" onClick={choose(text.cancel)}>
          Use theirs
        </Button>
        {mayMerge && (
          <Button size="sm" onClick={choose(text.merge)}>
            Put theirs below mine
          </Button>
        )}
      </div>
    </div>
  );
}
