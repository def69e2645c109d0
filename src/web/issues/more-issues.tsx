import { MOST_ISSUES } from "../data/issues.ts";

/** That a project has more issues than the board and the list take. */
export function MoreIssues({ shown = 0 }: { shown: number | undefined }) {
  if (shown < MOST_ISSUES) return null;
  return (
    <p role="status" className="border-t border-line px-4 py-2 text-sm text-text-2">
      The project has more issues than are shown here. The search finds all of them.
    </p>
  );
}
