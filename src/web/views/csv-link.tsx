import { Download } from "lucide-react";
import { LinkButton } from "../kit/button.tsx";

/** Downloads a list that has no saved views. */
export function CsvLink({ href }: { href: string }) {
  return (
    <LinkButton href={href} download icon={Download}>
      <span className="max-sm:sr-only">Export CSV</span>
    </LinkButton>
  );
}
