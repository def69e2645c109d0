import { startTransition, useEffect, useState } from "react";
import { afterPaint } from "./after-paint.ts";

/** False while the first frame is made, which renders only what is in view. */
export function useFirstFramePainted(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => afterPaint(() => startTransition(() => setPainted(true))), []);
  return isPainted;
}
