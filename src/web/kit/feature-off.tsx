import { ToggleLeft } from "lucide-react";
import { EmptyState } from "./empty-state.tsx";

/** A feature that the workspace has turned off. */
export function FeatureOff({ message }: { message: string }) {
  return <EmptyState icon={ToggleLeft} title="Turned off" text={message} />;
}
