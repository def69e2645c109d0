import { useState } from "react";

/**
 * Whether a popup is open, controlled by the caller if `open` is given. `wasOpened` stays true from the first opening:
 * until then the popup need not be rendered, and its code need not load.
 */
export function useOpen(open: boolean | undefined, onOpenChange: ((open: boolean) => void) | undefined) {
  const [own, setOwn] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const isOpen = open ?? own;
  if (isOpen && !wasOpened) setWasOpened(true);
  const setOpen = (next: boolean) => {
    setOwn(next);
    onOpenChange?.(next);
  };
  return [isOpen, setOpen, wasOpened] as const;
}
