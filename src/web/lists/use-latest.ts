import { useEffect, useRef, useState } from "react";

type Handlers = { readonly [name: string]: (...args: never[]) => unknown };

/** Functions that stay the same on every render and call the latest ones, so that a memoized row renders only if it changes. */
export function useLatest<Of extends Handlers>(handlers: Of): Of {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const [stable] = useState(
    () =>
      Object.fromEntries(
        Object.keys(handlers).map((name) => [name, (...args: never[]) => latest.current[name]?.(...args)]),
      ) as Of,
  );
  return stable;
}
