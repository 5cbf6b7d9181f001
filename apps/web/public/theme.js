// What only this device knows, written onto the document before the first paint: an explicit theme, so that a dark screen never
// flashes white, and which of the first screens that came with the page is the one that will be shown, if any. And what the app will
// ask for is asked for at once.
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

  const [path, query = ''] = location.hash.slice(1).split('?')
  const isTrade = path === '/trade'
  const page = dataset.language
  const asked = new URLSearchParams(location.search).get('lang')
  const language = (asked ? page : stored('language')) ?? page
  if (page === language) {
    if (path === '' || path === '/') dataset.first = 'home'
    if (isTrade) dataset.first = 'trade'
  }
  const code = new URLSearchParams(query).get('code')?.toUpperCase() ?? stored('instrument')
  if (code && code !== dataset.instrument) dataset.another = ''
  if (stored('token')) dataset.returns = ''

  const rise = stored('rise')
  if (rise === 'red' || (rise !== 'green' && ['hk', 'jp', 'kr'].includes(language))) dataset.rise = 'red'

  // See `files-ahead.ts`. What is drawn last comes last.
  const { account, trade, chart, texts } = JSON.parse(document.currentScript.dataset.ahead ?? '{}')
  const links = []
  const ask = (files = [], fetchPriority = 'auto') => {
    for (const href of files)
      links.push(Object.assign(document.createElement('link'), { rel: 'modulepreload', href, fetchPriority }))
  }
  const words = texts?.[language] ?? texts?.en
  ask(words?.first)
  if (isTrade) {
    ask(words?.trading)
    ask(trade)
  }
  if (dataset.returns === '') ask(account)
  if (isTrade) ask(chart, 'low')
  document.head.append(...links)
}
