import type { QueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ClosedIssue, OpenPage } from "./closing-notice.ts";

/** Opens pages from a message, which may be shown on any page. */
export function useOpenPage(): OpenPage {
  const navigate = useNavigate();
  return ({ projectKey, ...page }) =>
    void ("error" in page
      ? navigate({
          to: "/projects/$projectKey/errors/$errorGroupId",
          params: { projectKey, errorGroupId: String(page.error) },
        })
      : navigate({
          to: "/projects/$projectKey/issues/$issueKey",
          params: { projectKey, issueKey: page.issue },
        }));
}

/** See `closingNotice`. Few changes close an issue that has errors, so the code of the message is loaded then. */
export async function noticeOfClosing(client: QueryClient, changed: readonly ClosedIssue[], open: OpenPage) {
  const isAnyClosed = changed.some(
    ({ before, after }) =>
      before.closed_at === null && after.closed_at !== null && after.error_group_ids.length > 0,
  );
  if (!isAnyClosed) return undefined;
  return import("./closing-notice.ts")
    .then(({ closingNotice }) => closingNotice(client, changed, open))
    .catch(() => undefined);
}
