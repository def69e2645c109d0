import { Download } from "lucide-react";
import { Button } from "../kit/button.tsx";
import { CopyButton } from "../kit/copy-button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { saveFile } from "../kit/save-file.ts";

/** Shows the codes once, to copy or download. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `${codes.join("\n")}\n`;
  return (
    <Dialog
      open
      once
      title="Save your recovery codes"
      description="Each works once, instead of a code from your authenticator app. They won’t be shown again."
      onClose={onClose}
      footer={
        <>
          <CopyButton label="Copy the codes" text={text} words />
          <Button size="sm" icon={Download} onClick={() => download(text)}>
            Download
          </Button>
          <Button variant="primary" onClick={onClose}>
            I have saved them
          </Button>
        </>
      }
    >
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-x-6 gap-y-1 rounded-md border border-line bg-sunken p-4 font-mono"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  );
}

const download = (text: string) => saveFile("signalbox-recovery-codes.txt", text, "text/plain");
