import { useEffect, useLayoutEffect, useRef } from "react";
import { holdKeys } from "./held-keys.ts";

/** Stands for something that opens, while its code is being loaded: keys wait for it, Escape calls it back. */
export function OnItsWay({ onEscape }: { onEscape: () => void }) {
  const latest = useRef(onEscape);
  useEffect(() => {
    latest.current = onEscape;
  });
  useLayoutEffect(() => holdKeys(() => latest.current()), []);
  return null;
}
