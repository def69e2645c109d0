import { toast } from "./toast.ts";

/** Copies text. Shows `said` as a toast on success, and an error toast when the browser refuses. */
export async function copyText(text: string, said?: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    if (said !== undefined) toast({ title: said, tone: "success" });
    return true;
  } catch {
    toast({ title: "The browser blocked copying.", tone: "danger" });
    return false;
  }
}
