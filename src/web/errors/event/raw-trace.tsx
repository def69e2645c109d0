import { useMemo, useState } from "react";
import { Button } from "../../kit/button.tsx";

/** A part ends at the first line break after this many characters, or in the middle of a very long line. */
const PART_LENGTH = 16_000;

/** A trace as it was sent, shown in parts. */
export function RawTrace({ text, label }: { text: string; label: string }) {
  const parts = useMemo(() => partsOf(text), [text]);
  const [shown, setShown] = useState(1);
  return (
    <>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable, so it must be reachable by keyboard
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-[70dvh] overflow-auto px-3 py-2 text-sm/[18px] wrap-anywhere whitespace-pre-wrap focus-visible:-outline-offset-2"
      >
        {parts.slice(0, shown).map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the order never changes
          <code key={index}>{part}</code>
        ))}
      </pre>
      {parts.length > shown && (
        <div className="flex items-center gap-3 border-t border-line px-3 py-2">
          <Button size="sm" onClick={() => setShown(shown + 2)}>
            Show more
          </Button>
          <span className="text-sm text-text-3">{`Part ${shown} of ${parts.length} shown`}</span>
        </div>
      )}
    </>
  );
}

function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    const lineEnd = text.indexOf("\n", start + PART_LENGTH);
    const end = lineEnd === -1 || lineEnd > start + 2 * PART_LENGTH ? start + PART_LENGTH : lineEnd + 1;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
