import { WifiOff } from "lucide-react";
import { useIsQueued, type QueuedFields } from "../data/offline/queued-changes.ts";

type Props = { kind: QueuedFields["kind"]; id: number };

/** Beside a thing with a change that waits for the connection. */
export function WaitingMark({ kind, id }: Props) {
  if (!useIsQueued(kind, id)) return null;
  return (
    <span className="shrink-0 text-warn" title="Waiting for the connection">
      <WifiOff aria-hidden size={14} />
      <span className="sr-only">Waiting for the connection</span>
    </span>
  );
}
