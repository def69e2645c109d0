import { Lock } from "lucide-react";
import { EmptyState } from "./empty-state.tsx";

/** The page exists, but this person has no access. */
export function NoAccess({ message }: { message?: string }) {
  return (
    <EmptyState
      icon={Lock}
      title="No access"
      text={message ?? "Ask an administrator of the workspace or a manager of the project."}
    />
  );
}
