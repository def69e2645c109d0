import { startTransition, useEffect, useState } from "react";

/** False while the first frame is made, which renders only what is in view. */
export function useFirstFramePainted(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(
      () => (timer = setTimeout(() => startTransition(() => setPainted(true)))),
    );
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isPainted;
}
