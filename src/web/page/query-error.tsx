import { ApiError } from "../api/client.ts";
import { ErrorState } from "../kit/error-state.tsx";
import { FeatureOff } from "../kit/feature-off.tsx";
import { NothingHere } from "./not-found.tsx";

/** A failed query within a page: not found or no access, feature off, or another error. */
export function QueryError({ error, retry }: { error: unknown; retry: () => void }) {
  if (error instanceof ApiError) {
    if (error.featureRestricted) return <FeatureOff message={error.message} />;
    if (error.status === 403 || error.status === 404) return <NothingHere />;
  }
  return <ErrorState error={error} retry={retry} />;
}
