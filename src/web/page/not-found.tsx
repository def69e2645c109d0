import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { buttonClass } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { PageHeader } from "../kit/page-header.tsx";

/** There is nothing at this URL, or nothing this person may see. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Not found" />
      <NothingHere />
    </>
  );
}

export function NothingHere() {
  return (
    <EmptyState
      icon={Compass}
      title="Page not found"
      text="It may have been deleted, or the link may be incomplete."
      action={
        <Link to="/" className={buttonClass({ variant: "default" })}>
          Go home
        </Link>
      }
    />
  );
}
