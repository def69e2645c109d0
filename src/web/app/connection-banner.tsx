import { WifiOff } from "lucide-react";
import { Suspense } from "react";
import { queuedChanges } from "../data/offline/queued-changes.ts";
import { lazyPart } from "../kit/lazy-part.tsx";
import { publishHeight } from "../kit/publish-height.ts";
import { useStore } from "../state/store.ts";

export const QueuedList = lazyPart(async () => (await import("./queued-list.tsx")).QueuedList);

const publishBanner = publishHeight("--banner");

/** Says that the server cannot be reached, and which changes wait for it or were rejected. */
export function ConnectionBanner({ isLost }: { isLost: boolean }) {
  const hasChanges = useStore(queuedChanges).length > 0;
  if (!isLost && !hasChanges) return null;
  return (
    <div
      ref={publishBanner}
      data-no-print
      className="bg-warn-tint text-warn sticky top-(--app-bar) z-20 flex flex-wrap items-center"
    >
      {isLost && (
        <p role="status" className="flex items-center gap-2 px-4 py-2">
          <WifiOff aria-hidden size={16} className="shrink-0" />
          No connection to the server. This page may be out of date; it will refresh when the connection is
          back.
        </p>
      )}
      <Suspense>{hasChanges && <QueuedList isLost={isLost} />}</Suspense>
    </div>
  );
}
