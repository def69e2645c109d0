"use client";
import { captureError } from "@signalbox/reporter";
import { useEffect } from "react";

export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  useEffect(() => {
    if (!error.digest) captureError(error);
  }, [error]);
  return <p>Something went wrong</p>;
}
