import { h, icon } from "../dom.ts";
import type { Texts } from "../texts/texts.ts";

export type SentView = {
  element: HTMLElement;
  show(statusUrl: string): void;
  hide(): void;
  isShown(): boolean;
};

/** What replaces the form after sending: thanks, and the link to the report's status. */
export function createSentView(texts: Texts, close: () => void): SentView {
  const link = h("a", { target: "_blank", rel: "noopener noreferrer" }, texts.sentLink);
  const button = h("button", { class: "button primary", type: "button" }, texts.close);
  button.addEventListener("click", close);
  const element = h(
    "div",
    { hidden: true },
    h(
      "div",
      { class: "content sent" },
      h("div", { class: "mark" }, icon("M5 12.5l4.5 4.5L19 7.5")),
      h("p", {}, texts.sent),
      h("p", {}, link),
    ),
    h("footer", {}, button),
  );
  return {
    element,
    show(statusUrl) {
      if (/^https?:/.test(statusUrl)) link.href = statusUrl;
      else link.hidden = true;
      element.hidden = false;
    },
    hide: () => void (element.hidden = true),
    isShown: () => !element.hidden,
  };
}
