import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openApp, settled, withFakeServer } from '../testing/app.tsx'

withFakeServer()

/** The words of all paragraphs, each with how many lines it stands on. A line may also end before an opening bracket. */
function wordsOnScreen(): { readonly word: string; readonly lines: number }[] {
  return [...document.querySelectorAll('main p')].flatMap((paragraph) => {
    const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT)
    const words = []
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\(?[^\s(]+/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        words.push({ word, lines: new Set([...range.getClientRects()].map(({ top }) => top)).size })
      }
    return words
  })
}

test('lines of Korean end between words', async () => {
  await page.viewport(320, 664)
  await openApp('/rank/method', { language: 'kr' })
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => wordsOnScreen().length).toBeGreaterThan(50)
  await settled()
  expect(wordsOnScreen().filter(({ lines }) => lines > 1)).toEqual([])
})
