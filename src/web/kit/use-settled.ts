import { useEffect, useState } from "react";

/** Debounces typed text. One request per keystroke would exhaust the rate limit. */
export function useSettled(text: string, milliseconds = 150): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), milliseconds);
    return () => clearTimeout(timer);
  }, [text, milliseconds]);
  return settled;
}
