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
  const code = linked ?? stored('language')
  // Taiwan's code stands for traditional Chinese.
  const chosen = code === 'tw' ? 'hk' : code
  const language = (linked ? page : chosen) ?? page
  if (page === language) {
    if (path === '' || path === '/') dataset.first = 'home'
    if (path === '/trade') dataset.first = 'trade'
  } else {
    dataset.language = language
  }
  const instrument = new URLSearchParams(query).get('code')?.toUpperCase() ?? stored('instrument')
  if (instrument && instrument !== dataset.instrument) dataset.another = ''
  if (stored('token')) dataset.returns = ''
  if (stored('font')) dataset.font = ''

  // As `isRedUp` and `isRequestedAsTaiwan` of the app.
  const isTaiwan = code ? code === 'tw' : navigator.languages.some((tag) => /[-_]TW$/i.test(tag))
  const isRedUp = language === 'jp' || language === 'kr' || (language === 'hk' && isTaiwan)
  const rise = stored('rise')
  if (rise === 'red' || (rise !== 'green' && isRedUp)) dataset.rise = 'red'
}
