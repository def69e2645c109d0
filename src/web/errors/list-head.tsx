import { ArrowUp } from "lucide-react";
import { useEffect } from "react";
import { Button } from "../kit/button.tsx";
import { Checkbox } from "../kit/checkbox.tsx";
import { announce } from "../kit/live-region.ts";
import { COLUMNS } from "./error-row.tsx";

/** The columns, the number of rows, and a checkbox that selects all of them. */
export function ListHead({
  checked,
  mixed,
  onSelectAll,
  count,
}: {
  checked: boolean;
  mixed: boolean;
  onSelectAll: ((on: boolean) => void) | undefined;
  count: number;
}) {
  return (
    <div className="flex h-8 shrink-0 items-center gap-3 border-b border-line px-4 text-sm text-text-3">
      {onSelectAll && (
        <Checkbox
          label={`Select all ${count}`}
          hideLabel
          checked={checked}
          mixed={mixed}
          onChange={(event) => onSelectAll(event.target.checked)}
        />
      )}
      <span className="flex-1">{count === 1 ? "1 error" : `${count} errors`}</span>
      <span aria-hidden className="flex shrink-0 items-center gap-3">
        <span className={COLUMNS.strip}>14 days</span>
        <span className={COLUMNS.events}>Events</span>
        <span className={COLUMNS.users}>Users</span>
        <span className={COLUMNS.seen}>Last seen</span>
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
          className="rounded-full! shadow-float"
          onClick={onRefresh}
        >
          {`${count} new`}
        </Button>
      </div>
    </div>
  );
}
