import { useState } from "react";
import { Button } from "../../kit/button.tsx";

const FIRST = 1_000;
const STEP = 16_000;

/** A message of up to 65,535 bytes, shown in parts. */
export function LongText({ text, none }: { text: string; none: string }) {
  const [shown, setShown] = useState(FIRST);
  if (text.trim() === "") return <p className="text-text-3">{none}</p>;
  return (
    <div>
      <p dir="auto" className="text-read wrap-anywhere whitespace-pre-wrap">
        {text.slice(0, shown)}
        {text.length > shown && "…"}
      </p>
      {text.length > shown && (
        <Button size="sm" className="mt-1" onClick={() => setShown(shown + STEP)}>
          Show more
        </Button>
      )}
    </div>
  );
}
