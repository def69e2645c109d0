type Modules = {
  getModuleInfo: (id: string) => {
    code: string | null;
    importedIds: readonly string[];
    dynamicallyImportedIds: readonly string[];
  } | null;
};

/**
 * Code that the same pages need: at once, or right after they are shown. `size` is in characters of source code.
 */
type Part = { name: string; pages: Set<string>; later: Set<string>; size: number; modules: string[] };

/**
 * The cost of a page's requests for shared code is this times the square of their number, measured in characters of code
 * that take as long to load. A page with many files therefore gains more from one file less.
 */
const REQUEST = 60_000;

/**
 * How much code a page may load besides the frame, in characters of source code without comments. Minified and compressed, four to five
 * characters are a byte, and the frame leaves 30 kB of what test/browser/budgets.browser.ts allows for the first screen.
 */
const MAX_BYTES_OF_PAGE = 130_000;

/** The cost of each character above that, so high that no number of saved requests outweighs it. */
const EXCESS = 100;

/** The cost of a character that is loaded after the page is shown, relative to one that is needed to show it. */
const LATER = 0.25;

const MAX_FILES = 60;

type App = {
  main: string;
  /** The modules of the pages. */
  pages: ReadonlySet<string>;
  /** Those of the pages whose code is part of the first file. */
  firstPages: ReadonlySet<string>;
};

/** The imports of parts that pages show as soon as their code is loaded; see `deferredPart`. */
const DEFERRED = /\bdeferredPart\([^"'`]*import\(\s*["'`](?:\.{1,2}\/)+([^"'`]+)/g;

/** The frame of all other pages, and what they load as soon as they are shown. */
const FRAME = /app.(?:shell|live-updates)\.tsx$/;

/** A file that only exports icons, which are in files of their own. */
const ICONS = /lucide-react\.mjs$/;

/**
 * Groups for the bundler: which files contain the code that several pages share. By itself the bundler writes one for each
 * set of pages: a hundred small files, and forty requests for a page. These are merged while that costs less than it saves.
 * What every page needs is one file. The frame of people who are signed in is another one, with what a quarter of the pages need, or an
 * eighth if it is little.
 */
export function groupCode(app: App) {
  let files: Part[] | undefined;
  // A group takes the imports of its modules along, unless a group with a higher priority has them.
  return Array.from({ length: MAX_FILES }, (_, n) => ({
    priority: MAX_FILES - n,
    name: (module: string, modules: Modules) => {
      files ??= planFiles(app, modules);
      const file = files[n];
      return file?.modules.includes(module) ? file.name : null;
    },
  }));
}

function planFiles({ main, pages: allPages, firstPages }: App, modules: Modules): Part[] {
  const roots = findRoots(main, modules);
  const importsOf = (ids: string[]) => new Set(ids.flatMap((id) => [...staticImports(id, modules)]));
  const app = importsOf([main, ...firstPages]);
  const pages = [...allPages.difference(firstPages)];
  const frame = importsOf([...roots].filter((id) => FRAME.test(id)))
    .union(neededByMany(pages, modules))
    .difference(app);
  const fixed = (name: string, ids: readonly string[]): Part => ({
    name,
    pages: new Set(),
    later: new Set(),
    size: 0,
    modules: ids.filter((id) => !allPages.has(id)),
  });
  const first = app.union(frame);
  const parts = findParts({ roots, pages: allPages, first }, modules);
  const shared = new Set(parts.flatMap((part) => part.modules));
  const ownSizeOf = (page: string) =>
    sizeOf([...staticImports(page, modules).difference(first).difference(shared)], modules);
  const { common, others } = findCommon(mergeParts(parts, ownSizeOf, modules), pages.length, modules);
  return [
    fixed("app", [...app]),
    fixed("frame", [...frame, ...common.flatMap((part) => part.modules)]),
    ...sortByImports(others, modules),
  ];
}

/** A merged file is part of the frame if more than this share of the pages load it, sooner or later. */
const COMMON = 1 / 3;

/** Separates the files that belong to the frame. They import nothing but each other, so that the frame imports no other file. */
function findCommon(files: Part[], pageCount: number, modules: Modules): { common: Part[]; others: Part[] } {
  let common = files.filter(({ pages, later }) => pages.union(later).size > COMMON * pageCount);
  for (;;) {
    const inside = common.filter((part) =>
      importedParts(part, files, modules).every((n) => common.includes(files[n]!)),
    );
    if (inside.length === common.length)
      return { common, others: files.filter((file) => !common.includes(file)) };
    common = inside;
  }
}

const sizeOf = (ids: readonly string[], modules: Modules) =>
  ids.reduce((sum, id) => sum + (modules.getModuleInfo(id)?.code ?? "").replaceAll(COMMENTS, "").length, 0);

/** A quarter of the libraries' code is comments. It does not matter that this also shortens some strings. */
const COMMENTS = /\/\*.*?\*\/|^\s+|^\s*\/\/.*\n/gms;

/** Less code than this is part of the frame if an eighth of the pages need it, in characters of source code. */
const LITTLE = 10_000;

function neededByMany(pages: string[], modules: Modules): Set<string> {
  const usersOf = new Map<string, string[]>();
  for (const page of pages)
    for (const id of staticImports(page, modules)) usersOf.set(id, [...(usersOf.get(id) ?? []), page]);
  const together = Map.groupBy(usersOf, ([, users]) => users.toSorted().join());
  return new Set(
    [...together.values()].flatMap((group) => {
      const ids = group.map(([id]) => id);
      const share = group[0]![1].length / pages.length;
      return share > 0.25 || (share > 1 / 8 && sizeOf(ids, modules) < LITTLE) ? ids : [];
    }),
  );
}

type Divided = { roots: Set<string>; pages: ReadonlySet<string>; first: ReadonlySet<string> };

/**
 * One part for each set of pages that share code with each other or with code that is loaded later, such as a menu, and for
 * each set of pages that show the same parts.
 */
function findParts({ roots, pages, first }: Divided, modules: Modules): Part[] {
  const deferred = findDeferred(roots, modules);
  const usersById = new Map<string, { roots: number; pages: string[]; later: string[] }>();
  const usersOf = (id: string) => {
    const users = usersById.get(id) ?? { roots: 0, pages: [], later: [] };
    usersById.set(id, users);
    return users;
  };
  for (const root of roots)
    for (const id of staticImports(root, modules)) {
      usersOf(id).roots++;
      if (pages.has(root)) usersOf(id).pages.push(root);
    }
  for (const page of pages) for (const id of shownBy(page, deferred, modules)) usersOf(id).later.push(page);
  const parts = new Map<string, Part>();
  for (const [id, { roots: count, pages: users, later }] of usersById) {
    if (first.has(id) || pages.has(id)) continue;
    if (roots.has(id) && !deferred.has(id) && users.length === 0) continue;
    if (later.length === 0 && (users.length === 0 || count < 2)) continue;
    const key = [...users.toSorted(), "later", ...later.toSorted()].join();
    const part = parts.get(key) ?? {
      name: nameOf(id),
      pages: new Set(users),
      later: new Set(later),
      size: 0,
      modules: [],
    };
    part.size += sizeOf([id], modules);
    part.modules.push(id);
    parts.set(key, part);
  }
  return [...parts.values()];
}

/** What a page loads as soon as it is shown. */
function shownBy(page: string, deferred: ReadonlySet<string>, modules: Modules): Set<string> {
  const own = staticImports(page, modules);
  const all = new Set(own);
  for (const id of all)
    for (const next of modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
      if (deferred.has(next)) for (const one of staticImports(next, modules)) all.add(one);
  return all.difference(own);
}

/** Everything that is a deferred part of something. */
function findDeferred(roots: ReadonlySet<string>, modules: Modules): Set<string> {
  const all = [...roots].flatMap((root) => [...staticImports(root, modules)]);
  return new Set(
    [...new Set(all)].flatMap((id) => {
      const { code, dynamicallyImportedIds = [] } = modules.getModuleInfo(id) ?? {};
      const names = [...(code ?? "").matchAll(DEFERRED)].map(([, name]) => `/${name}`);
      return dynamicallyImportedIds.filter((next) => names.some((name) => next.endsWith(name)));
    }),
  );
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
  const usersOf = ({ pages, later }: Part) => pages.size + later.size;
  for (const part of parts.toSorted((a, b) => usersOf(b) - usersOf(a))) add(part);
  return [...sorted];
}

const nameOf = (id: string) => `shared-${id.replace(/.*\//, "").replace(/\..*/, "")}`;

/** Merges the two files that gain most by it until none do. */
function mergeParts(parts: Part[], ownSizeOf: (page: string) => number, modules: Modules): Part[] {
  const importsOf = parts.map((part) => importedParts(part, parts, modules));
  const indexesOf = (is: (part: Part) => boolean) => parts.flatMap((part, n) => (is(part) ? n : []));
  const pages = [...new Set(parts.flatMap((part) => [...part.pages, ...part.later]))].map((page) => ({
    ownSize: ownSizeOf(page),
    needed: indexesOf((part) => part.pages.has(page)),
    later: indexesOf((part) => part.later.has(page)),
  }));
  let files = parts.map((part, n): File => ({ parts: [n], size: part.size }));
  for (;;) {
    const plan = planOf(files, importsOf, parts.length);
    const loads = pages.map((page) => ({ page, ...loadOf(page, plan) }));
    let most = 0;
    let best: [File, File] | undefined;
    for (const [n, a] of files.entries())
      for (const b of files.slice(n + 1)) {
        // Other pages load neither, before and after.
        const either = loads.filter(({ files: loaded }) => loaded.has(a) || loaded.has(b));
        if (!either.some(({ files: loaded }) => loaded.has(a) && loaded.has(b))) continue;
        const merged = planOf(mergeFiles(files, a, b), importsOf, parts.length);
        const gain = either.reduce((sum, { page, cost }) => sum + cost - loadOf(page, merged).cost, 0);
        if (gain <= most) continue;
        most = gain;
        best = [a, b];
      }
    if (!best) return files.map((file) => joinParts(file.parts.map((n) => parts[n]!)));
    files = mergeFiles(files, ...best);
  }
}

/** Indexes of parts, and their size together. */
type File = { parts: number[]; size: number };

function mergeFiles(files: File[], a: File, b: File): File[] {
  const merged = { parts: [...a.parts, ...b.parts], size: a.size + b.size };
  return [...files.filter((file) => file !== a && file !== b), merged];
}

/** The file of each part, and the files that any part of a file imports. */
type Plan = { fileOf: File[]; importsOf: Map<File, File[]> };

function planOf(files: File[], importsOf: number[][], count: number): Plan {
  const fileOf = Array.from<File>({ length: count });
  for (const file of files) for (const part of file.parts) fileOf[part] = file;
  const imported = (file: File) => file.parts.flatMap((part) => importsOf[part]!.map((n) => fileOf[n]!));
  return { fileOf, importsOf: new Map(files.map((file) => [file, imported(file)])) };
}

/** A page: the size of the code that no other page needs, and the parts that it does share, at once and later. */
type Needs = { ownSize: number; needed: number[]; later: number[] };

/** What a page loads: each file with a part that it needs, and the files that they import. */
function loadOf({ ownSize, needed, later }: Needs, plan: Plan): { cost: number; files: Set<File> } {
  const filesWith = (wanted: number[]) => {
    const all = new Set(wanted.map((part) => plan.fileOf[part]!));
    for (const file of all) for (const next of plan.importsOf.get(file) ?? []) all.add(next);
    return all;
  };
  const atOnce = filesWith(needed);
  const after = filesWith(later).difference(atOnce);
  const sizeOfAll = (some: Set<File>) => [...some].reduce((sum, { size }) => sum + size, 0);
  const size = ownSize + sizeOfAll(atOnce);
  const cost =
    REQUEST * (atOnce.size + after.size) ** 2 +
    size +
    LATER * sizeOfAll(after) +
    EXCESS * Math.max(0, size - MAX_BYTES_OF_PAGE);
  return { cost, files: atOnce.union(after) };
}

function joinParts(parts: Part[]): Part {
  const [largest] = parts.toSorted((a, b) => b.size - a.size) as [Part];
  return {
    name: largest.name,
    pages: new Set(parts.flatMap((part) => [...part.pages])),
    later: new Set(parts.flatMap((part) => [...part.later])),
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
