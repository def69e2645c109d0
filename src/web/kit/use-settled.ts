import { useEffect, useState } from "react";

/** The text, once nobody has typed for a moment: a request for each letter would use up the limit. */
export function useSettled(text: string, milliseconds = 150): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), milliseconds);
    return () => clearTimeout(timer);
  }, [text, milliseconds]);
  return settled;
}
