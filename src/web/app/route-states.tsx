import { Link, type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { ApiError } from "../api/client.ts";
import { buttonClass } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { FeatureOff } from "../kit/feature-off.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { NoAccess } from "../kit/no-access.tsx";

/** An address that no page has, outside the frame of the app. */
export function NowherePage() {
  return (
    <main id="main" className="flex min-h-dvh flex-col">
      <NotFoundPage />
    </main>
  );
}

/** There is nothing, or nothing this person may see. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Not found" />
      <NothingHere />
    </>
  );
}

function NothingHere() {
  return (
    <EmptyState
      icon={Compass}
      title="There is nothing at this address"
      text="It may have been deleted, or the link is incomplete."
      action={
        <Link to="/" className={buttonClass({ variant: "default" })}>
          Go home
        </Link>
      }
    />
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

/** The same for a query inside a page. */
export function QueryError({ error, retry }: { error: unknown; retry: () => void }) {
  if (error instanceof ApiError) {
    if (error.featureRestricted) return <FeatureOff message={error.message} />;
    if (error.status === 403) return <NoAccess message={error.message} />;
    if (error.status === 404) return <NothingHere />;
  }
  return <ErrorState error={error} retry={retry} />;
}
