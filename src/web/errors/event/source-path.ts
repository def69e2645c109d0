/** Folders in which applications are commonly deployed. What follows is the path in the repository. */
const ROOTS = [
  /^\/(?:usr\/src\/app|var\/task|var\/www\/html|app|code|workspaces?\/[^/]+|workspace|github\/workspace)\//,
  /^\/(?:srv|opt|var\/www|home\/[^/]+|Users\/[^/]+|root)\/[^/]+\//,
  /^[A-Za-z]:\/(?:inetpub\/wwwroot\/|Users\/[^/]+\/[^/]+\/|[^/]+\/)/,
];

/** Folders that deploy tools add, such as `releases/20261101120000/` and `current/`. */
const DEPLOYED = /^(?:releases\/\d+|current)\//;

type Frame = {
  file: string | null | undefined;
  /** The name of a class on the JVM, or of a method with its class. */
  qualified?: string | null | undefined;
  /** The file with its folders, for a frame whose `file` has none. */
  absolute?: string | undefined;
};

/**
 * The path of a frame's file in its repository, as far as the frame tells: without the address of a web page and without
 * common folders of deploys. The path of a file on the JVM, whose frames name only the file, is that of its package.
 */
export function sourcePath({ file, qualified, absolute }: Frame): string | undefined {
  if (!file || file.startsWith("<")) return undefined;
  const path = withoutScheme(file.replaceAll("\\", "/"));
  if (!path.includes("/") && /\.(?:java|kts?|scala|groovy|clj)$/.test(path)) {
    return [...packagesOf(qualified ?? ""), path].join("/");
  }
  if (!path.includes("/") && absolute?.includes("/")) return sourcePath({ file: absolute });
  const root = ROOTS.map((one) => one.exec(path)?.[0]).find((match) => match !== undefined) ?? "";
  return path.slice(root.length).replace(DEPLOYED, "") || undefined;
}

/** `webpack://shop/./src/a.ts` is `/./src/a.ts`, `file:///app/a.js` is `/app/a.js`, `https://example.com/a.js?v=1` is `a.js`. */
function withoutScheme(file: string): string {
  const [, scheme, path] = /^([a-z][a-z\d+.-]+):\/\/[^/]*(\/.*)?$/i.exec(file) ?? [];
  if (scheme === undefined) return file;
  if (!/^https?$/i.test(scheme)) return path ?? "";
  return path?.slice(1).replace(/[?#].*$/, "") ?? "";
}

/** The packages of `com.example.shop.Order` or `com.example.shop.Order.total`; by convention, only classes are capitalized. */
function packagesOf(qualified: string): string[] {
  const parts = qualified.split(".");
  const type = parts.findIndex((part) => /^[A-Z]/.test(part));
  return parts.slice(0, Math.max(0, type));
}
