import { create } from "qrcode";
import { useMemo } from "react";
import { qrPath } from "./qr-path.ts";

/** Quiet zone around the code, which scanners need. */
const MARGIN = 4;

/** Black on white in both themes, because not every scanner reads inverted codes. */
export function QrCode({ text }: { text: string }) {
  const modules = useMemo(() => create(text, { errorCorrectionLevel: "M" }).modules, [text]);
  const side = modules.size + 2 * MARGIN;
  return (
    <svg
      role="img"
      aria-label="QR code of the secret"
      viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="block size-full [forced-color-adjust:none]"
    >
      <rect x={-MARGIN} y={-MARGIN} width={side} height={side} fill="#fff" />
      <path d={qrPath(modules)} fill="#000" />
    </svg>
  );
}
