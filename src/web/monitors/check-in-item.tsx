import type { CheckIn } from "../../shared/monitors.ts";
import { Time } from "../kit/dates/time.tsx";
import { Disclosure } from "../kit/disclosure.tsx";
import { CodeBlock } from "../kit/markdown/code-block.tsx";
import { durationText } from "./duration-text.ts";
import { CHECK_IN_LOOKS } from "./monitor-status.ts";
import { StatusBadge } from "./status-badge.tsx";

/** A run on one line; opened, it shows its times and what the job has sent. */
export function CheckInItem({ run }: { run: CheckIn }) {
  const { status, environment, duration, started_at, due_at } = run;
  return (
    <li className="px-4 py-1">
      <Disclosure
        title={
          <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <StatusBadge look={CHECK_IN_LOOKS[status]} />
            <bdi className="min-w-0 wrap-anywhere">{environment}</bdi>
          </span>
        }
        aside={
          <span className="flex shrink-0 items-center gap-3 text-sm text-text-3">
            {duration !== null && <span>{durationText(duration)}</span>}
            <Time at={due_at !== null && status === "missed" ? due_at : started_at} as="row" />
          </span>
        }
      >
        <RunDetails run={run} />
      </Disclosure>
    </li>
  );
}

function RunDetails({ run: { status, due_at, started_at, finished_at, release, text } }: { run: CheckIn }) {
  const ran = status !== "missed" && status !== "unknown";
  return (
    <div className="flex min-w-0 flex-col gap-3 pt-1 pb-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 [&_dt]:text-text-3">
        <dt>Due</dt>
        <dd>{due_at === null ? "Not scheduled" : <Time at={due_at} as="full" />}</dd>
        {ran && (
          <>
            <dt>Started</dt>
            <dd>
              <Time at={started_at} as="full" />
            </dd>
            <dt>Finished</dt>
            <dd>
              <Time at={finished_at} as="full" />
            </dd>
          </>
        )}
        {release !== null && (
          <>
            <dt>Release</dt>
            <dd dir="auto" className="wrap-anywhere">
              {release}
            </dd>
          </>
        )}
      </dl>
      {status === "unknown" && (
        <p className="text-text-2">
          Signalbox did not run at that time, so it is unknown whether the job did.
        </p>
      )}
      {text !== null && text !== "" && <CodeBlock label="Sent by the job" code={text} wrap />}
    </div>
  );
}
