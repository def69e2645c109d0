import { useEffect, useState } from "react";
import { Check, Copy } from "lucide-react";
import { Button } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
import { announce } from "./live-region.tsx";
import { toast } from "./toast.tsx";

type Props = {
  /** What is copied; a function when it costs something to make. */
  text: string | (() => string);
  /** "Copy link". */
  label: string;
  /** Shows the words too. */
  words?: boolean;
};

/** Copies, and says for two seconds that it did. */
export function CopyButton({ text, label, words = false }: Props) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setCopied(true);
      announce("Copied");
    } catch {
      toast({ title: "The browser did not allow copying.", tone: "danger" });
    }
  };
  const icon = copied ? Check : Copy;
  if (words)
    return (
      <Button size="sm" icon={icon} onClick={() => void copy()}>
        {copied ? "Copied" : label}
      </Button>
    );
  return <IconButton size="sm" label={copied ? "Copied" : label} icon={icon} onClick={() => void copy()} />;
}
