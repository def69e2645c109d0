import { CircleAlert, CircleCheck } from "lucide-react";
import type { Delivery } from "../../../shared/webhooks.ts";
import { Time } from "../../kit/dates/time.tsx";
import { CodeBlock } from "../../kit/markdown/code-block.tsx";
import { hasSucceeded, textOfAttempt } from "./attempt-text.ts";

type Props = {
  attempt: Delivery["attempts"][number];
  /** Names the body of the answer. */
  label: string;
};

/** One attempt: the answer's status, duration and body, or why there was none. */
export function AttemptDetails({ attempt, label }: Props) {
  const isGood = hasSucceeded(attempt);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="flex min-w-0 items-start gap-2">
        {isGood ? (
          <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0 text-resolved" />
        ) : (
          <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-danger" />
        )}
        <span className="min-w-0 flex-1">
          {textOfAttempt(attempt)}
          <span className="sr-only">{isGood ? ", succeeded" : ", failed"}</span>
        </span>
        <Time at={attempt.started_at} className="shrink-0 text-text-3" />
      </p>
      {attempt.response_body !== null && attempt.response_body !== "" && (
        <CodeBlock label={label} code={attempt.response_body} wrap />
      )}
    </div>
  );
}
