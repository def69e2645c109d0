import { Suspense, useState } from "react";
import { useStore } from "../state/store.ts";
import { lazyPart } from "./lazy-part.tsx";
import { newToasts } from "./toast.ts";

/** Loads with the first message, or when the page is idle: it is as large as a page. */
export const ToastList = lazyPart(async () => (await import("./toast-list.tsx")).ToastList);

/** Once in the app: shows the toasts. */
export function Toasts() {
  const hasNew = useStore(newToasts).length > 0;
  const [isNeeded, setNeeded] = useState(false);
  if (hasNew && !isNeeded) setNeeded(true);
  return isNeeded ? (
    <Suspense>
      <ToastList />
    </Suspense>
  ) : null;
}
