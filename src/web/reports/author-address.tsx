import { BadgeCheck } from "lucide-react";
import type { Report } from "../../shared/reports.ts";
import { CopyButton } from "../kit/copy-button.tsx";

/** The address that the author of a report gave, and whether it is known to be theirs. */
export function AuthorAddress({ report }: { report: Report }) {
  const { author_email: address, author_email_confirmed: isConfirmed } = report;
  if (address === null) return null;
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="truncate" title={address}>
        {address}
      </span>
      {isConfirmed ? (
        <span className="flex shrink-0 items-center gap-1 text-sm text-resolved">
          <BadgeCheck aria-hidden size={14} />
          Confirmed
        </span>
      ) : (
        <span className="shrink-0 text-sm text-text-3">· not confirmed</span>
      )}
      <CopyButton label="Copy the address" text={address} />
    </span>
  );
}
