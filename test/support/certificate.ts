import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export type Certificate = { key: string; cert: string };

/** A certificate for the name that it signs itself. */
export function makeCertificate(name: string): Certificate {
  const folder = mkdtempSync(path.join(tmpdir(), "signalbox-certificate-"));
  const files = { key: path.join(folder, "key"), cert: path.join(folder, "cert") };
  const contents = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`, "-days", "2"];
  const output = ["-newkey", "rsa:2048", "-nodes", "-keyout", files.key, "-out", files.cert];
  execFileSync("openssl", ["req", "-x509", ...contents, ...output], { stdio: "ignore" });
  const certificate = { key: readFileSync(files.key, "utf8"), cert: readFileSync(files.cert, "utf8") };
  rmSync(folder, { recursive: true });
  return certificate;
}
