import { addStyles, h, icon } from "../dom.ts";
import type { Settings } from "../settings.ts";
import { followTheme } from "../theme.ts";
import css from "./button.css";
import { textColorOn } from "./contrast.ts";

export type Corner = {
  /** Adds the button. */
  addButton(text: string, onClick: (button: HTMLElement) => void): void;
  removeButton(): void;
  /** Says something above the button until the next notice; an empty text removes it. */
  notify(text: string): void;
};

/** The corner of the page with the button and notices. Nothing is added to the page before one of them is. */
export function createCorner({ color, position, theme }: Settings): Corner {
  const host = document.createElement("signalbox-widget");
  const root = host.attachShadow({ mode: "open" });
  addStyles(root, css);
  const notice = h("p", { class: "notice", role: "alert" });
  const corner = h("div", { class: `corner ${position}`, dir: "ltr" }, notice);
  followTheme(corner, theme);
  root.append(corner);
  const show = () => {
    if (!host.isConnected) document.body.append(host);
  };
  let button: HTMLElement | undefined;
  return {
    addButton(text, onClick) {
      button = h("button", { type: "button", "aria-haspopup": "dialog" }, icon(SPEECH), text);
      if (color !== undefined) {
        button.style.background = color;
        button.style.color = textColorOn(color);
      }
      const opener = button;
      button.addEventListener("click", () => onClick(opener));
      if (position.startsWith("top")) corner.prepend(button);
      else corner.append(button);
      show();
    },
    removeButton: () => button?.remove(),
    notify(text) {
      show();
      notice.textContent = text;
    },
  };
}

const SPEECH = "M21 12a8 8 0 0 1-8 8H4l2-3.5A8 8 0 1 1 21 12z";
