import {
  type MouseEvent,
  type SyntheticEvent,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { foldCase } from "../../../shared/fold-case.ts";
import type { Readable } from "../../../shared/markdown/html.ts";
import { copyText } from "../copy-text.ts";
import { firstReached, type MarkdownLinks, MarkdownLinksContext, REFERENCES } from "./markdown-links.ts";
import { renderMarkdown, renderNow, type Tick, tickOf } from "./render-markdown.ts";

type Props = {
  text: string;
  /** Usernames that can be mentioned here. Others stay plain text. */
  mentions?: readonly string[];
  /** The project of the text, if it is not the project of the page. `#32` is a report of it. */
  projectKey?: string | undefined;
  /** Called with the change of the text when a task is ticked or cleared. Without it, tasks are disabled. */
  onTick?: ((tick: Tick) => void) | undefined;
};

/** Rendered Markdown. Shows the source until it is rendered, and if rendering fails. */
export function Markdown({ text, mentions = NOBODY, projectKey, onTick }: Props) {
  const links = useContext(MarkdownLinksContext);
  const readable = useStable(
    readableBy({ text, mentions, links, projectKey, mayTick: onTick !== undefined }),
  );
  const html = useHtml(text, readable);
  // React replaces the content if this object is another one, even with the same text.
  const content = useMemo(() => ({ __html: html ?? "" }), [html]);
  const box = useRef<HTMLDivElement>(null);
  const ticked = useRef<string | undefined>(undefined);

  useLayoutEffect(() => {
    if (box.current === null || html === undefined) return;
    for (const part of box.current.querySelectorAll("pre, .scroll")) makeReachable(part);
    const code = [...box.current.querySelectorAll<HTMLElement>("pre > code[class]")];
    // Loaded when the first code is shown. Without it, code has one color.
    if (code.length > 0)
      void import("./highlight-code.ts").then(({ highlightCode }) => highlightCode(code)).catch(() => {});
    // New HTML has new boxes: the one that was ticked keeps the focus.
    const isFocusLost = document.activeElement === document.body;
    if (ticked.current !== undefined && isFocusLost)
      box.current
        .querySelector<HTMLElement>(`input[data-line="${ticked.current}"]`)
        ?.focus({ preventScroll: true });
  }, [html]);

  if (html === undefined)
    return (
      <div dir="auto" className="markdown whitespace-pre-wrap">
        {text}
      </div>
    );

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    if (target instanceof HTMLInputElement) {
      ticked.current = target.dataset["line"];
      if (onTick) void tickOf(text, Number(ticked.current), target.checked).then(onTick);
      return;
    }
    ticked.current = undefined;
    if (target.matches("button.copy")) {
      void copyText(target.nextElementSibling?.textContent ?? "", "Code copied");
      return;
    }
    const address = target.closest(REFERENCES)?.getAttribute("href");
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (address === null || address === undefined || !isPlain) return;
    event.preventDefault();
    links.follow(address);
  };

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the links, boxes and buttons in it take the keys
    <div
      ref={box}
      className="markdown"
      onClick={onClick}
      onPointerOver={onReach}
      onFocus={onReach}
      // oxlint-disable-next-line react/no-danger -- src/shared/markdown/html.ts lets no HTML of the author's through
      dangerouslySetInnerHTML={content}
    />
  );
}

function onReach({ target }: SyntheticEvent<HTMLElement>) {
  const link = (target as HTMLElement).closest<HTMLElement>(REFERENCES);
  if (link && firstReached.get() === null) firstReached.set(link);
}

function useHtml(text: string, readable: Readable): string | undefined {
  const now = useMemo(() => renderNow(text, readable), [text, readable]);
  const [later, setLater] = useState<{ text: string; readable: Readable; html: string } | null>(null);
  useEffect(() => {
    if (now !== undefined) return;
    let current = true;
    renderMarkdown(text, readable)
      .then((html) => current && setLater({ text, readable, html }))
      .catch(() => {});
    return () => {
      current = false;
    };
  }, [text, readable, now]);
  return now ?? (later?.text === text && later.readable === readable ? later.html : undefined);
}

type Rendering = {
  text: string;
  mentions: readonly string[];
  links: MarkdownLinks;
  projectKey: string | undefined;
  mayTick: boolean;
};

function readableBy({ text, mentions, links, projectKey = links.projectKey, mayTick }: Rendering): Readable {
  const folded = text.includes("@") || text.includes("&") ? foldCase(text) : "";
  const isEscaped = folded.includes("&");
  const names =
    folded === "" ? [] : mentions.map(foldCase).filter((name) => isEscaped || folded.includes(name));
  const people = new Map(names.map((name) => [name, links.addressOf(name, projectKey)]));
  return { people, projectKeys: links.projectKeys, projectKey, mayTick };
}

/** The same object until its content changes. */
function useStable(readable: Readable): Readable {
  const key = JSON.stringify([
    ...(readable.people ?? []),
    readable.projectKeys,
    readable.projectKey,
    readable.mayTick,
  ]);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key stands for the object
  return useMemo(() => readable, [key]);
}

/** A part that is too wide can be scrolled with the keyboard. */
function makeReachable(part: Element) {
  if (part.scrollWidth <= part.clientWidth) return;
  part.setAttribute("tabindex", "0");
  part.setAttribute("role", "region");
  part.setAttribute("aria-label", part.matches("pre") ? "Code" : "Table");
}

const NOBODY: readonly string[] = [];
