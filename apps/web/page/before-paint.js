// Sets what only this device knows on the document before the first paint: the chosen theme, so that a dark screen never flashes
// white, which of the server-rendered first screens is shown, if any, and whether the web font has been loaded before.
{
  const { dataset } = document.documentElement
  const stored = (name) => {
    try {
      return localStorage.getItem(`fairlot.${name}`)
    } catch {
      // Storage is blocked: nothing is stored on this device.
      return null
    }
  }
  const theme = stored('theme')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme

  const [path, query = ''] = location.hash.slice(1).split('?')
  const page = dataset.language
  const linked = new URLSearchParams(location.search).get('lang')
  const language = (linked ? page : stored('language')) ?? page
  if (page === language) {
    if (path === '' || path === '/') dataset.first = 'home'
    if (path === '/trade') dataset.first = 'trade'
  } else {
    dataset.language = language
  }
  const code = new URLSearchParams(query).get('code')?.toUpperCase() ?? stored('instrument')
  if (code && code !== dataset.instrument) dataset.another = ''
  if (stored('token')) dataset.returns = ''
  if (stored('font')) dataset.font = ''

  const rise = stored('rise')
  if (rise === 'red' || (rise !== 'green' && ['hk', 'jp', 'kr'].includes(language))) dataset.rise = 'red'
}
