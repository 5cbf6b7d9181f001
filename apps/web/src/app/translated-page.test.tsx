import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { DESKTOP, openApp, settled, withFakeServer } from '../testing/app.tsx'
import { push } from '../testing/fake-server.ts'
import * as sample from '../testing/samples.ts'

withFakeServer()

let stop = (): void => undefined
afterEach(() => stop())

const isForTranslators = (node: Node): boolean =>
  node.parentElement !== null && node.parentElement.closest('[translate="no"], font, script, style') === null

/**
 * As the translators of Chrome and Edge do, replaces each text by one of their own in two `<font>` elements, now and
 * whenever the page changes; the page's own text node leaves the document.
 */
function translatePage(): void {
  const translate = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) {
      const { currentNode } = walker
      if (currentNode instanceof Text && currentNode.data.trim() !== '' && isForTranslators(currentNode))
        texts.push(currentNode)
    }
    for (const text of texts) {
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = text.data
      outer.append(inner)
      text.replaceWith(outer)
    }
  }
  const observer = new MutationObserver(translate)
  observer.observe(document.body, { childList: true, characterData: true, subtree: true })
  stop = () => observer.disconnect()
  translate()
}

const eurusd = sample.eurusd()
const moveTo = (bid: string, ask: string, mid: string) =>
  push({ type: 'quotes', quotes: [sample.tick(eurusd, bid, ask, mid)] })
const row = () => page.getByRole('link', { name: /EUR\/USD/ }).first()

describe('a page that the browser translates', () => {
  test('shows the moving prices of the list', async () => {
    await openApp('/')
    await expect.element(row()).toBeVisible()
    translatePage()
    expect(document.querySelector('font')).not.toBeNull()
    moveTo('1.09997', '1.10003', '1.10000')
    await expect.element(row()).toMatchTextContent('1.10000')
    moveTo('1.10997', '1.11003', '1.11000')
    await expect.element(row()).toMatchTextContent('1.11000')
    await expect.element(row()).not.toMatchTextContent('1.10000')
  })

  test.each([
    ['phone', undefined],
    ['desktop', DESKTOP],
  ] as const)('shows the moving prices of the ticket, on the %s', async (_, size) => {
    await openApp('/trade?code=EURUSD', { as: 'demo', ...(size && { size }) })
    const buy = page.getByRole('button', { name: /^Buy/ })
    await expect.element(buy).toBeVisible()
    translatePage()
    for (const [bid, ask, mid] of [
      ['1.09997', '1.10003', '1.10000'],
      ['1.10997', '1.11003', '1.11000'],
    ] as const) {
      moveTo(bid, ask, mid)
      await expect.element(buy).toMatchTextContent(ask)
    }
  })

  test('leaves prices, figures and codes alone', async () => {
    await openApp('/', { as: 'demo' })
    await settled()
    translatePage()
    const figures = [...document.querySelectorAll('bdi[dir="ltr"], [data-price-of]')]
    expect(figures.length).toBeGreaterThan(3)
    expect(figures.filter((figure) => figure.querySelector('font') !== null)).toEqual([])
  })

  test('can be used: no screen stops working on the way through the app', async () => {
    await openApp('/', { as: 'demo' })
    await expect.element(row()).toBeVisible()
    translatePage()
    for (const path of [
      '/trade',
      '/order',
      '/user',
      '/mine/history',
      '/news',
      '/mine/charge',
      '/rank',
      '/',
    ]) {
      location.hash = `#${path}`
      await settled()
      moveTo('1.09997', '1.10003', '1.10000')
      await expect.element(page.getByText('stopped working')).not.toBeInTheDocument()
    }
    await expect.element(row()).toMatchTextContent('1.10000')
  })
})
