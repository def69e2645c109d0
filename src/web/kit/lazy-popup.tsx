import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from "react";
import { retryLoading } from "../api/load-code.ts";
import { holdKeys } from "./held-keys.ts";
import { failedLoads } from "./lazy-part.tsx";
import { toast } from "./toast.ts";

type Props = { open: boolean; onCancel: () => void; children: ReactNode };

/**
 * Around a dialog, picker or menu whose code may still be loading. Until the code arrives, keys are held for its first
 * field, and Escape cancels. If it cannot be loaded, the popup is canceled with a message, and loading continues in
 * the background.
 */
export function LazyPopup({ open, onCancel, children }: Props) {
  return <Suspense fallback={open ? <Pending onCancel={onCancel} /> : null}>{children}</Suspense>;
}

function Pending({ onCancel }: { onCancel: () => void }) {
  const latest = useRef(onCancel);
  useEffect(() => {
    latest.current = onCancel;
  });
  useLayoutEffect(() => holdKeys(() => latest.current()), []);
  useEffect(() => {
    const stop = failedLoads.subscribe(() => {
      toast({
        title: "This part of the app could not be loaded. Check the connection and try again.",
        tone: "danger",
      });
      latest.current();
    });
    // An earlier attempt may be in its pause.
    retryLoading();
    return stop;
  }, []);
  return null;
}
