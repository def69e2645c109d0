"use client";
import { useState } from "react";

export default function ClientPage() {
  const [broken, setBroken] = useState(false);
  if (broken) throw new TypeError("client component");
  return (
    <>
      <button
        onClick={() => {
          throw new TypeError("event handler");
        }}
      >
        handler
      </button>
      <button onClick={() => setBroken(true)}>render</button>
    </>
  );
}
