import { ArrowUp } from "lucide-react";
import { useEffect } from "react";
import { Button } from "../../kit/button.tsx";
import { Checkbox } from "../../kit/checkbox.tsx";
import { announce } from "../../kit/notices/live-region.ts";
import type { ErrorGroupSort } from "../../../shared/error-groups.ts";
import { COLUMNS } from "./error-row.tsx";
import { SORTS } from "../view.ts";

/** The rest of a list that is loaded page by page. */
export type More = {
  /** Whether there are more errors than rows. */
  isThere: boolean;
  isLoading: boolean;
  hasFailed: boolean;
  /** Loads the next page unless something is being loaded. */
  load: () => void;
  retry: () => void;
};

/** The columns, the number of rows, and a checkbox that selects all of them. */
export function ListHead({
  checked,
  mixed,
  onSelectAll,
  count,
  more,
  sort,
}: {
  checked: boolean;
  mixed: boolean;
  onSelectAll: ((on: boolean) => void) | undefined;
  count: number;
  more: More;
  sort: ErrorGroupSort;
}) {
  return (
    <div className="flex h-8 shrink-0 items-center gap-3 border-b border-line px-4 text-sm text-text-3">
      {onSelectAll && (
        <Checkbox
          label={more.isThere ? `Select the ${count} loaded errors` : `Select all ${count}`}
          hideLabel
          checked={checked}
          mixed={mixed}
          onChange={(event) => onSelectAll(event.target.checked)}
        />
      )}
      <span className="flex-1">
        {more.isThere ? `${count}+ errors` : count === 1 ? "1 error" : `${count} errors`}
        {more.isLoading && ", loading more…"}
      </span>
      <span aria-hidden className="flex shrink-0 items-center gap-3">
        <span className={COLUMNS.strip}>14 days</span>
        <span className={COLUMNS.events}>Events</span>
        <span className={COLUMNS.users}>Users</span>
        <span className={COLUMNS.seen}>
          {sort === "first_seen" || sort === "impact" ? SORTS[sort] : SORTS.last_seen}
        </span>
        <span className={COLUMNS.assignee} />
        <span className={COLUMNS.actions} />
      </span>
    </div>
  );
}

/** New errors are announced, and shown on request, so that no row moves under the pointer. */
export function NewErrors({ count, onRefresh }: { count: number; onRefresh: () => void }) {
  useEffect(() => {
    if (count > 0) announce(`${count} new ${count === 1 ? "error" : "errors"}`);
  }, [count]);
  if (count === 0) return null;
  return (
    <div className="relative z-10 h-0">
      <div className="absolute inset-x-0 top-2 flex justify-center">
        <Button
          variant="primary"
          size="sm"
          icon={ArrowUp}
          className="animate-appear rounded-full! shadow-float"
          onClick={onRefresh}
        >
          {`${count} new`}
        </Button>
      </div>
    </div>
  );
}

/** Offers to load the next page again after that has failed. */
export function MoreErrors({ more: { isThere, hasFailed, retry } }: { more: More }) {
  return (
    <div role="status">
      {isThere && hasFailed && (
        <p className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 border-t border-line p-2 text-sm text-text-2">
          More errors could not be loaded.
          <Button size="sm" onClick={retry}>
            Try again
          </Button>
        </p>
      )}
    </div>
  );
}
