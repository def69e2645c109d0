/** Where to go after signing in: only a path of this very app, whatever the address says. */
export function safePath(path: string | undefined): string {
  if (path === undefined || !/^\/(?![/\\])/.test(path)) return "/";
  // oxlint-disable-next-line no-control-regex -- browsers drop some of them, and then two slashes meet
  if (/[\u0000-\u001f\\]/.test(path)) return "/";
  return path.startsWith("/sign-in") || path.startsWith("/api/") ? "/" : path;
}
