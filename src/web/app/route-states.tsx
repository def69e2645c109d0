import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { OutdatedError } from "../api/load-code.ts";
import { NotFoundPage } from "../page/not-found.tsx";
import { QueryError } from "../page/query-error.tsx";

/** The 404 page, outside the app's frame. */
export function NowherePage() {
  return (
    <main id="main" className="flex min-h-dvh flex-col">
      <NotFoundPage />
    </main>
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
  return isOutdated ? null : <QueryError error={error} retry={retry} />;
}
