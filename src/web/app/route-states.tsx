import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
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
  return <QueryError error={error} retry={retry} />;
}
