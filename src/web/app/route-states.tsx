import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { OutdatedError } from "../api/load-code.ts";
import { NotFoundPage } from "../page/not-found.tsx";
import { QueryError } from "../page/query-error.tsx";

/** An address that no page has, outside the frame of the app. */
export function NowherePage() {
  return (
    <main id="main" className="flex min-h-dvh flex-col">
      <NotFoundPage />
    </main>
  );
}

/** What a page could not load: not there, no access, feature off, or broken. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  const isOutdated = error instanceof OutdatedError;
  // The new version loads the page that was asked for. `location` does not name it yet.
  useEffect(() => {
    if (isOutdated) location.assign(router.latestLocation.href);
  }, [isOutdated, router]);
  return isOutdated ? null : <QueryError error={error} retry={retry} />;
}
