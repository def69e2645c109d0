import { useEffect, useState } from "react";
import { REFERENCES } from "../kit/markdown/markdown-links.ts";
import { watchTooltips } from "../kit/watch-tooltips.ts";
import { LinkCard } from "./link-card.tsx";

/** Shows a card about the issue, report or person whose link in a text is hovered or focused. */
export function LinkCards({ first }: { first: HTMLElement }) {
  const [link, setLink] = useState<HTMLElement | null>(null);
  useEffect(() => watchTooltips(REFERENCES, setLink, first), [first]);
  useEffect(() => {
    if (link === null) return;
    const observer = new MutationObserver(() => link.isConnected || setLink(null));
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [link]);
  return link && <LinkCard key={link.getAttribute("href")} link={link} />;
}
