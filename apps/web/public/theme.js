// An explicit theme before the first paint, so that a dark screen never flashes white.
try {
  const theme = localStorage.getItem('fairlot.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is forbidden here: the device's theme it is.
}
