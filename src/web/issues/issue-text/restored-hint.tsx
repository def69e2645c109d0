/** Says why an editor is open on a page that was just loaded. */
export function RestoredHint() {
  return <p className="flex-1 text-sm text-text-3">Your unsaved changes were restored.</p>;
}
