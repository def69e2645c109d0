import { useEffect, useState } from "react";
import { Check, Copy } from "lucide-react";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";
import { IconButton } from "./icon-button.tsx";
import { announce } from "./notices/live-region.ts";

type Props = {
  /** A function if building the text is expensive. */
  text: string | (() => string);
  /** For example "Copy link". */
  label: string;
  /** The id of what says which of several texts is copied. */
  describedBy?: string | undefined;
  /** Shows the label beside the icon. */
  words?: boolean;
};

/** Copies the text and shows a check mark for two seconds. */
export function CopyButton({ text, label, describedBy, words = false }: Props) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (!(await copyText(typeof text === "string" ? text : text()))) return;
    setCopied(true);
    announce("Copied");
  };
  const icon = copied ? Check : Copy;
  if (words)
    return (
      <Button size="sm" icon={icon} aria-describedby={describedBy} onClick={() => void copy()}>
        {copied ? "Copied" : label}
      </Button>
    );
  return (
    <IconButton
      size="sm"
      label={copied ? "Copied" : label}
      icon={icon}
      aria-describedby={describedBy}
      onClick={() => void copy()}
    />
  );
}
