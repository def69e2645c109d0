/** A page in a browser that Playwright does not drive. Elements are named by JavaScript expressions, see `elementNamed`. */
export type EnginePage = {
  goto(url: string): Promise<void>;
  /** The value of an expression, as JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits for the element. */
  click(expression: string): Promise<void>;
  /** Keys are pressed one after another; `Control+b` is a combination. */
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  setFile(expression: string, file: string): Promise<void>;
};

/**
 * An expression for the visible element that matches the selector and has this text or label, also in open shadow roots; null if
 * there is none.
 */
export const elementNamed = (selector: string, name?: string): string =>
  `(${findElement.toString()})(${JSON.stringify(selector)}, ${JSON.stringify(name ?? null)})`;

/** Runs in the page. */
function findElement(selector: string, name: string | null): Element | null {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (!element.matches(selector)) continue;
      const labels = (element as HTMLInputElement).labels ?? [];
      const texts = [element, ...labels].map((each) => each.textContent?.trim() ?? "");
      if (name === null || (texts.some((text) => text.startsWith(name)) && element.checkVisibility()))
        return element;
    }
  return null;
}

/** An expression for the element with the focus, also in open shadow roots. */
export const FOCUSED = `(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
})()`;

/** From the WebDriver specification. */
const NAMED_KEYS: Record<string, string> = {
  Control: "\uE009",
  Shift: "\uE008",
  Alt: "\uE00A",
  Enter: "\uE007",
  Tab: "\uE004",
  Escape: "\uE00C",
  Space: " ",
  ArrowRight: "\uE014",
};

/** The actions of the WebDriver protocol for a key or a combination of keys. */
export function keyActions(combination: string): object[] {
  const keys = combination === "+" ? ["+"] : combination.split("+");
  const values = keys.map((key) => NAMED_KEYS[key] ?? key);
  return [
    ...values.map((value) => ({ type: "keyDown", value })),
    ...values.toReversed().map((value) => ({ type: "keyUp", value })),
  ];
}
