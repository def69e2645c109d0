import { useCallback, useState } from "react";

/** How many more cards a lane renders whenever the end of them comes into reach. */
const MORE_CARDS = 16;
/** The height of most cards in pixels, with the gap below: as long as it is not rendered, a card takes this much room. */
export const CARD_HEIGHT = 126;

/** How many cards a lane renders at first: as many as fit into the window. The page's header has the room for lower ones. */
const firstCards = () => Math.ceil(innerHeight / CARD_HEIGHT);

/**
 * The cards of a lane down to a little below the view, and those around the card at the index `cursor`. `rest` is the number of
 * the others; `end` is the ref of an element that begins above their room and ends with it.
 */
export function useCardsInReach(cards: readonly string[], cursor: number) {
  const [limit, setLimit] = useState(firstCards);
  const count = Math.max(limit, cursor + MORE_CARDS / 2);
  // Another function for another count, so that a new observer reports whether the end is still in reach.
  const end = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      const observer = new IntersectionObserver(([entry]) => {
        if (entry?.isIntersecting !== true) return;
        const { intersectionRect, boundingClientRect } = entry;
        const reached = (intersectionRect.bottom - boundingClientRect.top) / CARD_HEIGHT;
        setLimit(count + Math.ceil(reached) + MORE_CARDS);
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
    [count],
  );
  return { shown: cards.slice(0, count), rest: Math.max(0, cards.length - count), end };
}
