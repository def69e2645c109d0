import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { ApiError, OfflineError } from "../api/client.ts";
import { OutdatedError, retryLoading } from "../api/load-code.ts";
import { forgetCopies } from "../data/cache/copies.ts";
import { Skeleton } from "../kit/skeleton.tsx";
import { QueryError } from "../page/query-error.tsx";

/** The frame while the first response is on its way. It looks like the app's frame without its contents. */
export function PendingFrame() {
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <div className="border-line bg-canvas border-b p-3 font-semibold md:w-56 md:border-r md:border-b-0">
        Signalbox
      </div>
      <main id="main" className="flex-1">
        <Skeleton />
      </main>
    </div>
  );
}

/** A page that failed to load: not found, no access, feature off, or another error. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  const isOutdated = error instanceof OutdatedError;
  // Load the requested page in the new version. `location` does not name it yet.
  useEffect(() => {
    if (isOutdated) location.assign(router.latestLocation.href);
  }, [isOutdated, router]);
  // The page may have failed because of a damaged copy. Without copies, it reads everything from the server.
  const mayBeDamaged = !isOutdated && !(error instanceof ApiError) && !(error instanceof OfflineError);
  useEffect(() => {
    if (mayBeDamaged) void forgetCopies();
  }, [mayBeDamaged]);
  if (isOutdated) return null;
  return (
    <>
      <h1 className="sr-only">Error</h1>
      <QueryError error={error} retry={retry} />
    </>
  );
}

/** In place of a page whose code cannot be fetched, until it can be. */
export function MissingPage() {
  return <RouteError error={new OfflineError()} reset={retryLoading} />;
}

/** An error of the app itself, without the frame around it. */
export function AppError(props: ErrorComponentProps) {
  return (
    <main id="main" className="flex min-h-dvh flex-col">
      <RouteError {...props} />
    </main>
  );
}
