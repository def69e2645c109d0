import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, waitForWrites } from "../api/client.ts";
import { changeSession, onSignedOut } from "../api/session-end.ts";
import { forgetEverything } from "./cache/copies.ts";
import { showFailure } from "../forms/show-failure.ts";
import { flushDelayed } from "../kit/notices/toast.ts";
import { forgetDrafts } from "../state/drafts.ts";
import { forgetItems } from "./recent-items.ts";
import { isWaiting, queuedChanges } from "./offline/queued-changes.ts";
import { waitForDismissals } from "./reports/pending-dismissals.ts";
import { wasSignedIn } from "../state/was-signed-in.ts";
import { pendingMarks } from "./inbox/pending-marks.ts";
import { profileQuery } from "./account/session.ts";

/** A request that takes longer does not delay signing out. */
const WRITE_TIMEOUT_MS = 5_000;

/**
 * Sends everything that is still pending, then ends the session. Reloads the page for sign-in, so that nothing in memory
 * is left for the next person.
 */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      flushDelayed();
      // Imported only when needed: there are marks only if the inbox, which loads this code, has been opened.
      if (pendingMarks.get().size > 0) void (await import("./inbox/send-marks.ts")).sendNow(client);
      // Dismissals are sent one after another, and wait for the rate limit.
      const left = await waitForDismissals(WRITE_TIMEOUT_MS);
      if (left > 0)
        throw new Error(
          `${left} reports are still being dismissed. Wait until they finish or stop them, then sign out.`,
        );
      await waitForWrites(WRITE_TIMEOUT_MS);
      if (queuedChanges.get().some(isWaiting))
        throw new Error("Some changes have not been sent. Wait for the connection or cancel them first.");
      await changeSession(() => api.delete("/api/session"));
    },
    onSuccess: async () => {
      // This page is about to be left; what fails until then needs no second way out.
      onSignedOut(() => {});
      const me = client.getQueryData(profileQuery.queryKey);
      if (me) {
        forgetDrafts(me.id);
        forgetItems(me.id);
      }
      // The number on the icon of the installed app.
      if ("clearAppBadge" in navigator) navigator.clearAppBadge().catch(() => {});
      wasSignedIn.write(false);
      await forgetEverything();
      location.replace("/sign-in");
    },
    onError: (error) => showFailure("You could not be signed out", error),
  });
}
