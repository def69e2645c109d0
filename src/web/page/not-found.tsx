import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { buttonClass } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { PageHeader } from "../kit/page-header.tsx";

/** There is nothing at this URL, or nothing this person may see. One page for both, so the response does not reveal which. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Not found" />
      <NothingHere />
    </>
  );
}

/** `message` says what is missing, where the person may know. */
export function NothingHere({ message }: { message?: string }) {
  return (
    <EmptyState
      icon={Compass}
      title="Page not found"
      text={message ?? "It was deleted, the link is incomplete, or you don’t have access to it."}
      action={
        <Link to="/" className={buttonClass({ variant: "default" })}>
          Go home
        </Link>
      }
    />
  );
}
