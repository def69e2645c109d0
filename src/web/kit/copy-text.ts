import { toast } from "./toast.ts";

/** Copies, and says so where words for it are given; says so too when the browser does not allow it. */
export async function copyText(text: string, said?: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    if (said !== undefined) toast({ title: said, tone: "success" });
    return true;
  } catch {
    toast({ title: "The browser did not allow copying.", tone: "danger" });
    return false;
  }
}
