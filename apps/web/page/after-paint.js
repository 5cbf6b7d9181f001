// The end of the page. Once the server-rendered screen is painted, this moves its prices and loads the app. No script of the app is
// requested earlier, so the first paint waits for none. `page-in-one-response.ts` lists the app's files in `data-files`.
{
  const { dataset } = document.documentElement
  const files = JSON.parse(document.currentScript.dataset.files)
  const screen = document.querySelector(`[data-first-screen='${dataset.first}']`)
  // Under another route or language, and on a wide window, none of the first screens is shown.
  const isShown = screen?.getClientRects().length > 0

  // Digits are replaced in place, which needs neither the locale nor the app; a price whose number of digits changes is left to
  // the app.
  const digitsOf = (mid, decimals) => {
    const [, integer, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(mid) ?? []
    return integer && fraction.length <= decimals ? integer + fraction.padEnd(decimals, '0') : null
  }
  const show = (box, digits) => {
    const parts = [...box.firstElementChild.children]
    const count = parts.reduce((sum, part) => sum + part.textContent.replace(/\D/g, '').length, 0)
    if (count !== digits?.length) return
    let at = 0
    for (const part of parts) part.textContent = part.textContent.replace(/\d/g, () => digits[at++])
  }
  const movePrices = () => {
    const { rawPrices: names } = JSON.parse(document.getElementById('first-data').textContent)
    const socket = new WebSocket(
      `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${names.path}`,
    )
    socket.onopen = () => socket.send(names.subscribe)
    socket.onmessage = ({ data }) => {
      if (!screen.isConnected) return socket.close()
      for (const row of [JSON.parse(data)].flat()) {
        const box = screen.querySelector(`[data-price-of="${row[names.code]}"]`)
        if (box) show(box, digitsOf(String(row[names.quotation][names.mid]), Number(box.dataset.decimals)))
      }
    }
  }

  const add = (name, properties) =>
    document.head.append(Object.assign(document.createElement(name), properties))
  const preload = (hrefs = [], fetchPriority = 'auto') => {
    for (const href of hrefs) add('link', { rel: 'modulepreload', href, fetchPriority })
  }
  const loadApp = () => {
    // Each is a task of its own, so that a tap in between is answered.
    for (const src of files.app) add('script', { type: 'module', async: false, src })
    preload(files.libraries)
    const isTrade = location.hash.split('?')[0] === '#/trade'
    const texts = files.texts[dataset.language] ?? files.texts.en
    preload(texts.first)
    if (isTrade) {
      preload(texts.trading)
      preload(files.trade)
    }
    if (dataset.returns === '') preload(files.account)
    if (isTrade) preload(files.chart, 'low')
  }

  let hasStarted = false
  const start = () => {
    if (hasStarted) return
    hasStarted = true
    if (isShown) movePrices()
    loadApp()
  }
  // A hidden tab paints nothing, and a browser may not report its paints.
  const PATIENCE_MS = 3000
  if (!isShown || document.hidden) start()
  else {
    setTimeout(start, PATIENCE_MS)
    new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
  }
}
