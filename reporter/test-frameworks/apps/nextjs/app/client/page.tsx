"use client";
import { useEffect, useState } from "react";

export default function ClientPage() {
  const [broken, setBroken] = useState(false);
  // Before hydration a click would be lost, so the buttons are disabled.
  const [hydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  if (broken) throw new TypeError("client component");
  return (
    <>
      <button
        disabled={!hydrated}
        onClick={() => {
          throw new TypeError("event handler");
        }}
      >
        handler
      </button>
      <button disabled={!hydrated} onClick={() => setBroken(true)}>
        render
      </button>
    </>
  );
}
