import { MAX_ISSUES } from "../data/issues/issues.ts";

/** A note that the project has more issues than the board and the list load. */
export function TooManyIssues({ shown = 0 }: { shown: number | undefined }) {
  if (shown < MAX_ISSUES) return null;
  return (
    <p role="status" className="border-t border-line px-4 py-2 text-sm text-text-2">
      Not all issues of this project are shown here. Use search to find the others.
    </p>
  );
}
