// What only this device knows, written onto the document before the first paint: an explicit theme, so that a dark screen never
// flashes white, and whether the first screen that came with the page is the one that will be shown.
{
  const { dataset } = document.documentElement
  const stored = (name) => {
    try {
      return localStorage.getItem(`fairlot.${name}`)
    } catch {
      // Storage is forbidden here: the device remembers nothing.
      return null
    }
  }
  const theme = stored('theme')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme

  const { language } = dataset
  const asked = new URLSearchParams(location.search).get('lang')
  const isHome = ['', '#', '#/'].includes(location.hash)
  if (!isHome || (!asked && (stored('language') ?? language) !== language)) dataset.elsewhere = ''
  if (stored('token')) dataset.returns = ''

  const rise = stored('rise')
  if (rise === 'red' || (rise !== 'green' && ['hk', 'jp', 'kr'].includes(language))) dataset.rise = 'red'
}
