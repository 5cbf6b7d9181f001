// Before the first paint: an explicit theme, so that a dark screen never flashes white. The page's policy allows no
// inline script.
try {
  const theme = localStorage.getItem('fairlot.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is forbidden here: the device's theme it is.
}
