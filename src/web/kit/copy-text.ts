import { toast } from "./notices/toast.ts";

/** Copies text. Shows `said` as a toast on success, and an error toast when the browser refuses. */
export async function copyText(text: string, said?: string): Promise<boolean> {
  try {
    // Browsers offer the clipboard only over HTTPS and on localhost.
    if (navigator.clipboard as Clipboard | undefined) await navigator.clipboard.writeText(text);
    else copyBySelection(text);
    if (said !== undefined) toast({ title: said, tone: "success" });
    return true;
  } catch {
    toast({ title: "The browser blocked copying.", tone: "danger" });
    return false;
  }
}

/** Copies by the browser's old command, which copies the selection. The focus stays where it is. */
function copyBySelection(text: string) {
  const element = document.createElement("span");
  element.textContent = text;
  element.className = "fixed top-0 whitespace-pre opacity-0 select-text";
  document.body.append(element);
  const selection = getSelection();
  const before = selection?.rangeCount ? selection.getRangeAt(0) : undefined;
  selection?.selectAllChildren(element);
  const isCopied = document.execCommand("copy");
  element.remove();
  selection?.removeAllRanges();
  if (before) selection?.addRange(before);
  if (!isCopied) throw new Error("The browser refused to copy.");
}
