// Moves the prices of the first screen until the app has come and takes its place. It puts the new digits where the old ones
// stand, and so needs neither a language nor the app; a price with more or fewer digits waits for the app.
{
  const screen = document.querySelector(`[data-first-screen='${document.documentElement.dataset.first}']`)
  const { rawPrices: names } = JSON.parse(document.getElementById('first-data').textContent)

  const digitsOf = (mid, decimals) => {
    const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(mid) ?? []
    return whole && fraction.length <= decimals ? whole + fraction.padEnd(decimals, '0') : null
  }
  const show = (box, digits) => {
    const parts = [...box.firstElementChild.children]
    const count = parts.reduce((sum, part) => sum + part.textContent.replace(/\D/g, '').length, 0)
    if (count !== digits?.length) return
    let at = 0
    for (const part of parts) part.textContent = part.textContent.replace(/\d/g, () => digits[at++])
  }
  const take = (row) => {
    const box = screen.querySelector(`[data-price-of="${row[names.code]}"]`)
    if (box) show(box, digitsOf(String(row[names.quotation][names.mid]), Number(box.dataset.decimals)))
  }

  // Under another route or language, and on a wide window, the first screen is not shown.
  if (screen?.getClientRects().length > 0) {
    const socket = new WebSocket(
      `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${names.path}`,
    )
    socket.onopen = () => socket.send(names.subscribe)
    socket.onmessage = ({ data }) => {
      if (!screen.isConnected) return socket.close()
      for (const row of [JSON.parse(data)].flat()) take(row)
    }
  }
}
