import { useMemo, useState } from "react";
import { Button } from "../kit/button.tsx";

/** A piece ends at the first line end past this, or in the middle of a line that has none. */
const PIECE = 16_000;

/** A trace as it was sent, long ones piece by piece. */
export function RawTrace({ text, label }: { text: string; label: string }) {
  const pieces = useMemo(() => piecesOf(text), [text]);
  const [shown, setShown] = useState(1);
  return (
    <>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-[70dvh] overflow-auto px-3 py-2 text-sm/[18px] wrap-anywhere whitespace-pre-wrap focus-visible:-outline-offset-2"
      >
        {pieces.slice(0, shown).map((piece, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- pieces stay where they are
          <code key={index}>{piece}</code>
        ))}
      </pre>
      {pieces.length > shown && (
        <div className="flex items-center gap-3 border-t border-line px-3 py-2">
          <Button size="sm" onClick={() => setShown(shown + 2)}>
            Show more
          </Button>
          <span className="text-sm text-text-3">{`Part ${shown} of ${pieces.length} shown`}</span>
        </div>
      )}
    </>
  );
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const lineEnd = text.indexOf("\n", start + PIECE);
    const end = lineEnd === -1 || lineEnd > start + 2 * PIECE ? start + PIECE : lineEnd + 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
