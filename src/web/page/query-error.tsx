import { ApiError, OfflineError } from "../api/client.ts";
import { ErrorState } from "../kit/error-state.tsx";
import { FeatureOff } from "../kit/feature-off.tsx";
import { NothingHere } from "./not-found.tsx";

/** A failed query within a page: not found or no access, feature off, offline, or another error. */
export function QueryError({ error, retry }: { error: unknown; retry: () => void }) {
  if (error instanceof ApiError) {
    if (error.featureRestricted) return <FeatureOff message={error.message} />;
    if (error.status === 403 || error.status === 404) return <NothingHere />;
  }
  if (error instanceof OfflineError) {
    const reason = navigator.onLine ? "The server cannot be reached" : "You are offline";
    const missing = new Error(
      `${reason}, and this page has not been opened on this device before. It opens when the connection is back.`,
    );
    return <ErrorState error={missing} title="Not available offline" retry={retry} />;
  }
  return <ErrorState error={error} retry={retry} />;
}
