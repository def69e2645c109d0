import { useEffect, useState } from "react";
import { foldCase } from "../../shared/fold-case.ts";
import { renderMarkdown } from "./render-markdown.ts";

type Props = {
  text: string;
  /** Usernames that can be mentioned here. Others stay plain text. */
  mentions?: readonly string[];
};

/** Rendered Markdown. Shows the source until it is rendered, and if rendering fails. */
export function Markdown({ text, mentions = NOBODY }: Props) {
  const names = mentions.map((name) => foldCase(name)).join(" ");
  const [rendered, setRendered] = useState<{ text: string; names: string; html: string } | null>(null);
  useEffect(() => {
    let current = true;
    renderMarkdown(text, names === "" ? [] : names.split(" "))
      .then((html) => current && setRendered({ text, names, html }))
      .catch(() => {});
    return () => {
      current = false;
    };
  }, [text, names]);
  if (rendered?.text === text && rendered.names === names)
    // oxlint-disable-next-line react/no-danger -- markdown-html.ts lets no HTML of the author's through
    return <div className="markdown" dangerouslySetInnerHTML={{ __html: rendered.html }} />;
  return (
    <div dir="auto" className="markdown whitespace-pre-wrap">
      {text}
    </div>
  );
}

const NOBODY: readonly string[] = [];
