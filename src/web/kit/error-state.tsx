import { RotateCw, TriangleAlert } from "lucide-react";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";

/** A failed load: the server's message, the request id to quote, and a retry button. */
export function ErrorState({
  error,
  title = "This could not be loaded",
  retry,
}: {
  error: unknown;
  title?: string;
  retry?: () => void;
}) {
  const message = error instanceof Error ? error.message : "Something went wrong.";
  const requestId = error instanceof Error && "requestId" in error ? error.requestId : undefined;
  return (
    <div role="alert">
      <EmptyState
        icon={TriangleAlert}
        title={title}
        text={
          <>
            {message}
            {typeof requestId === "string" && (
              <span className="mt-1 block text-sm text-text-3">
                Request <code className="select-all">{requestId}</code>
              </span>
            )}
          </>
        }
        action={
          retry !== undefined && (
            <Button icon={RotateCw} onClick={retry}>
              Try again
            </Button>
          )
        }
      />
    </div>
  );
}
