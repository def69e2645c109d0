import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { retryLoading } from "../api/load-code.ts";
import { holdKeys } from "./held-keys.ts";
import { AwaitedParts, failedLoad } from "./lazy-part.tsx";
import { toast } from "./notices/toast.ts";

type Props = { open: boolean; onCancel: () => void; children: ReactNode };

/**
 * Around a dialog, picker or menu whose code may still be loading. Until the code arrives, keys are held for its first
 * field, and Escape cancels. If it cannot be loaded, the popup is canceled with a message, and loading continues in
 * the background.
 */
export function LazyPopup({ open, onCancel, children }: Props) {
  const [awaited] = useState(() => new Set<object>());
  return (
    <AwaitedParts value={awaited}>
      <Suspense fallback={open ? <Pending awaited={awaited} onCancel={onCancel} /> : null}>
        {children}
      </Suspense>
    </AwaitedParts>
  );
}

function Pending({ awaited, onCancel }: { awaited: ReadonlySet<object>; onCancel: () => void }) {
  const latest = useRef(onCancel);
  useEffect(() => {
    latest.current = onCancel;
  });
  useLayoutEffect(() => holdKeys(() => latest.current()), []);
  useEffect(() => {
    const stop = failedLoad.subscribe(() => {
      const failed = failedLoad.get();
      // Loading for a popup that was canceled before may go on, and fail, at the same time.
      if (failed === null || !awaited.has(failed.part)) return;
      toast({
        title: "This part of the app could not be loaded. Check your connection and try again.",
        tone: "danger",
      });
      latest.current();
    });
    // An earlier attempt may be in its pause.
    retryLoading();
    return stop;
  }, [awaited]);
  return null;
}
