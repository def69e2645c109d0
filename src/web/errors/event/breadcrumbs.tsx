import { useState } from "react";
import type { KeptEvent } from "../../../shared/kept-events.ts";
import { Button } from "../../kit/button.tsx";
import { cx } from "../../kit/cx.ts";
import { breadcrumbTime } from "./breadcrumb-time.ts";
import { JsonFacts } from "./json-facts.tsx";

type Breadcrumb = KeptEvent["breadcrumbs"][number];

const FIRST_SHOWN = 12;

/** What happened before the error, newest first, as a timeline. */
export function Breadcrumbs({ breadcrumbs }: { breadcrumbs: readonly Breadcrumb[] }) {
  const [all, setAll] = useState(false);
  const newest = breadcrumbs.toReversed();
  const shown = all ? newest : newest.slice(0, FIRST_SHOWN);
  return (
    <>
      <ol aria-label="Breadcrumbs, newest first" className="rounded-md border border-line bg-surface">
        {shown.map((breadcrumb, index) => (
          <li
            // oxlint-disable-next-line react/no-array-index-key -- the order never changes
            key={index}
            className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 border-b border-line px-3 py-1.5 last:border-b-0 sm:grid-cols-[5.5rem_8rem_minmax(0,1fr)]"
          >
            <span className="font-mono text-sm text-text-3">{breadcrumbTime(breadcrumb.timestamp)}</span>
            <span className="truncate text-sm text-text-2" title={breadcrumb.category ?? undefined}>
              <span aria-hidden className={cx("me-1.5 inline-block", dotOf(breadcrumb.level))} />
              {breadcrumb.category ?? breadcrumb.type ?? "event"}
              {breadcrumb.level !== null && <span className="sr-only">{`, ${breadcrumb.level}`}</span>}
            </span>
            <div className="min-w-0 max-sm:col-span-2">
              {breadcrumb.message !== null && (
                <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
                  {breadcrumb.message}
                </p>
              )}
              {breadcrumb.data !== null && <JsonFacts inLine value={breadcrumb.data} />}
            </div>
          </li>
        ))}
      </ol>
      {newest.length > shown.length && (
        <Button size="sm" variant="quiet" className="self-start" onClick={() => setAll(true)}>
          {`Show all ${newest.length} breadcrumbs`}
        </Button>
      )}
    </>
  );
}

/** Forced colors remove backgrounds but keep borders. */
function dotOf(level: string | null): string {
  const isBad = level === "error" || level === "fatal";
  return cx(
    "size-2 rounded-full border-4 border-current",
    isBad ? "text-danger" : level === "warning" ? "text-warn" : "text-text-3",
  );
}
