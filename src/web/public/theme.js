// Runs before the first paint, so that a dark screen never flashes white and the page does not jump. The app writes the value as JSON.
try {
  const theme = JSON.parse(localStorage.getItem("theme") ?? "null");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (localStorage.getItem("density") === '"dense"') document.documentElement.dataset.density = "dense";
  if (localStorage.getItem("sidebar") === '"narrow"') document.documentElement.dataset.sidebar = "narrow";
} catch {
  // Storage is blocked or holds something else: the system's preference applies.
}
