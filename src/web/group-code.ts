type Modules = {
  getModuleInfo: (id: string) => {
    code: string | null;
    importedIds: readonly string[];
    dynamicallyImportedIds: readonly string[];
  } | null;
};

/** Code that the same pages need. `size` is in characters of source code. */
type Part = { name: string; pages: Set<string>; size: number; modules: string[] };

/** What a request costs, as the number of characters that load in the same time. */
const REQUEST = 16_000;

/**
 * How much code a page may load besides the frame, in characters of source code. Minified and compressed, five to eight
 * characters are a byte, and test/browser/budgets.browser.ts allows 40 kB.
 */
const MOST_OF_PAGE = 200_000;

/** What each character above that costs, so that no number of saved requests is worth it. */
const EXCESS = 100;

const MOST_FILES = 60;

/** Pages for people who are not signed in: their code is part of the first file. */
const PUBLIC = /session.[a-z-]+-page\.tsx$/;

const isPage = (id: string) => id.endsWith("-page.tsx");

/** The frame of all other pages, and what they load as soon as they are shown. */
const FRAME = /app.(?:shell|live-updates)\.tsx$/;

/** A file that only exports icons, which are in files of their own. */
const ICONS = /lucide-react\.mjs$/;

/**
 * Groups for the bundler: which files contain the code that several pages share. By itself the bundler writes one for each
 * set of pages: a hundred small files, and forty requests for a page. These are merged while that costs less than it saves.
 * What every page needs is one file, and the frame of people who are signed in, with what a quarter of the pages need, another one.
 */
export function groupCode(main: string) {
  let files: Part[] | undefined;
  // A group takes the imports of its modules along, unless a group with a higher priority has them.
  return Array.from({ length: MOST_FILES }, (_, n) => ({
    priority: MOST_FILES - n,
    name: (module: string, modules: Modules) => {
      files ??= planFiles(main, modules);
      const file = files[n];
      return file?.modules.includes(module) ? file.name : null;
    },
  }));
}

function planFiles(main: string, modules: Modules): Part[] {
  const roots = findRoots(main, modules);
  const importsOf = (ids: string[]) => new Set(ids.flatMap((id) => [...staticImports(id, modules)]));
  const rootsLike = (name: RegExp) => [...roots].filter((id) => name.test(id));
  const app = importsOf([main, ...rootsLike(PUBLIC)]);
  const pages = [...roots].filter((id) => isPage(id) && !PUBLIC.test(id));
  const frame = importsOf(rootsLike(FRAME)).union(neededByMany(pages, modules)).difference(app);
  const fixed = (name: string, ids: readonly string[]): Part => ({
    name,
    pages: new Set(),
    size: 0,
    modules: ids.filter((id) => !isPage(id)),
  });
  const first = app.union(frame);
  const parts = findParts(roots, first, modules);
  const shared = new Set(parts.flatMap((part) => part.modules));
  const ownSizeOf = (page: string) =>
    sizeOf([...staticImports(page, modules).difference(first).difference(shared)], modules);
  return [
    fixed("app", [...app]),
    fixed("frame", [...frame]),
    ...sortByImports(mergeParts(parts, ownSizeOf, modules), modules),
  ];
}

const sizeOf = (ids: readonly string[], modules: Modules) =>
  ids.reduce((sum, id) => sum + (modules.getModuleInfo(id)?.code?.length ?? 0), 0);

function neededByMany(pages: string[], modules: Modules): Set<string> {
  const counts = new Map<string, number>();
  for (const page of pages)
    for (const id of staticImports(page, modules)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > pages.length * 0.25).map(([id]) => id));
}

/** One part for each set of pages that share code with each other or with code that is loaded later, such as a menu. */
function findParts(roots: Set<string>, first: Set<string>, modules: Modules): Part[] {
  const rootsOf = new Map<string, string[]>();
  for (const root of roots)
    for (const id of staticImports(root, modules))
      if (!first.has(id)) rootsOf.set(id, [...(rootsOf.get(id) ?? []), root]);
  const parts = new Map<string, Part>();
  for (const [id, of] of rootsOf) {
    const pages = of.filter(isPage);
    if (of.length < 2 || pages.length === 0 || roots.has(id)) continue;
    const key = pages.toSorted().join();
    const part = parts.get(key) ?? { name: nameOf(id), pages: new Set(pages), size: 0, modules: [] };
    part.size += sizeOf([id], modules);
    part.modules.push(id);
    parts.set(key, part);
  }
  return [...parts.values()];
}

/** Imported parts come before those that import them. */
function sortByImports(parts: Part[], modules: Modules): Part[] {
  const sorted = new Set<Part>();
  const seen = new Set<Part>();
  const add = (part: Part) => {
    if (seen.has(part)) return;
    seen.add(part);
    for (const n of importedParts(part, parts, modules)) add(parts[n]!);
    sorted.add(part);
  };
  for (const part of parts.toSorted((a, b) => b.pages.size - a.pages.size)) add(part);
  return [...sorted];
}

const nameOf = (id: string) => `shared-${id.replace(/.*\//, "").replace(/\..*/, "")}`;

/** Merges the two files that gain most by it until none do. */
function mergeParts(parts: Part[], ownSizeOf: (page: string) => number, modules: Modules): Part[] {
  const importsOf = parts.map((part) => importedParts(part, parts, modules));
  const pages = [...new Set(parts.flatMap((part) => [...part.pages]))].map((page) => ({
    ownSize: ownSizeOf(page),
    needed: parts.flatMap((part, n) => (part.pages.has(page) ? n : [])),
  }));
  let files = parts.map((_, n) => [n]);
  let cost = costOf(files, parts, importsOf, pages);
  for (;;) {
    let best: number[][] | undefined;
    for (const [n, a] of files.entries())
      for (const b of files.slice(n + 1)) {
        const merged = [...files.filter((file) => file !== a && file !== b), [...a, ...b]];
        const less = costOf(merged, parts, importsOf, pages);
        if (less >= cost) continue;
        cost = less;
        best = merged;
      }
    if (!best) return files.map((file) => joinParts(file.map((n) => parts[n]!)));
    files = best;
  }
}

/** A page: the size of the code that no other page needs, and the parts that it does share. */
type Needs = { ownSize: number; needed: number[] };

/** What all pages load: each file with a part that they need, and with it the files that any of its parts imports. */
function costOf(files: number[][], parts: Part[], importsOf: number[][], pages: Needs[]): number {
  const fileOf: number[] = [];
  for (const [n, file] of files.entries()) for (const part of file) fileOf[part] = n;
  let cost = 0;
  for (const { ownSize, needed } of pages) {
    const loaded = new Set(needed.map((part) => fileOf[part]!));
    let size = ownSize;
    for (const n of loaded) {
      cost += REQUEST;
      for (const part of files[n]!) {
        size += parts[part]!.size;
        for (const other of importsOf[part]!) loaded.add(fileOf[other]!);
      }
    }
    cost += size + EXCESS * Math.max(0, size - MOST_OF_PAGE);
  }
  return cost;
}

function joinParts(parts: Part[]): Part {
  const [largest] = parts.toSorted((a, b) => b.size - a.size) as [Part];
  return {
    name: largest.name,
    pages: new Set(parts.flatMap((part) => [...part.pages])),
    size: parts.reduce((sum, part) => sum + part.size, 0),
    modules: parts.flatMap((part) => part.modules),
  };
}

/** The indexes of the parts that a part imports. */
function importedParts(part: Part, parts: Part[], modules: Modules): number[] {
  const imported = new Set(part.modules.flatMap((id) => importedBy(id, modules)));
  return parts.flatMap((other, n) =>
    other !== part && other.modules.some((id) => imported.has(id)) ? n : [],
  );
}

/** Everything that is loaded on demand: pages and other parts. */
function findRoots(main: string, modules: Modules): Set<string> {
  const found = new Set([main]);
  const roots = new Set<string>();
  for (const id of found) {
    const info = modules.getModuleInfo(id);
    for (const next of info?.dynamicallyImportedIds ?? []) roots.add(next);
    for (const next of [...importedBy(id, modules), ...(info?.dynamicallyImportedIds ?? [])]) found.add(next);
  }
  return roots;
}

function staticImports(from: string, modules: Modules): Set<string> {
  const found = new Set([from]);
  for (const id of found) for (const next of importedBy(id, modules)) found.add(next);
  return found;
}

/** What a module imports; of the icons, only those that it uses. */
function importedBy(id: string, modules: Modules): readonly string[] {
  const { importedIds = [], code = "" } = modules.getModuleInfo(id) ?? {};
  return importedIds.flatMap((next) => (ICONS.test(next) ? iconsIn(code ?? "", next, modules) : [next]));
}

const filesOfIcons = new Map<string, string>();

function iconsIn(code: string, library: string, modules: Modules): string[] {
  const { importedIds = [], code: source } = modules.getModuleInfo(library) ?? {};
  if (filesOfIcons.size === 0)
    for (const [, names = "", file = ""] of (source ?? "").matchAll(/export \{([^}]*)\} from '\.(.*?)'/g))
      for (const [, name = ""] of names.matchAll(/default as (\w+)/g))
        filesOfIcons.set(name, importedIds.find((one) => one.endsWith(file)) ?? library);
  const names = [...code.matchAll(/import \{([^}]*)\} from "lucide-react"/g)].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.trim().replace(/ .*/s, "")),
  );
  return names.flatMap((name) => filesOfIcons.get(name) ?? []);
}
