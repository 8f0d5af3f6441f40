// Before the first paint, so that a page never flashes in the other theme. The choice is kept by src/session/memory.ts.
try {
  const theme = localStorage.getItem('countersign.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage nothing was chosen.
}
