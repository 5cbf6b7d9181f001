import { expect, onTestFinished } from 'vitest'

const isForTranslators = (node: Node): boolean =>
  node.parentElement !== null && node.parentElement.closest('[translate="no"], font, script, style') === null

/**
 * As the translators of Chrome and Edge do, replaces each text by one of their own in two `<font>` elements, now and
 * whenever the page changes until the test ends; the page's own text node leaves the document.
 */
export function translatePage(): void {
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
  onTestFinished(() => observer.disconnect())
  translate()
}

/** Whether a part of the page shows these words somewhere, and a translator has replaced them nowhere in it. */
export function isLeftAlone(words: string, part: Element = document.body): boolean {
  const shown = document.createTreeWalker(part, NodeFilter.SHOW_TEXT, ({ parentElement, textContent }) =>
    textContent?.includes(words) && parentElement?.closest('textarea') === null
      ? NodeFilter.FILTER_ACCEPT
      : NodeFilter.FILTER_SKIP,
  )
  let count = 0
  while (shown.nextNode()) {
    if (shown.currentNode.parentElement?.closest('font')) return false
    count += 1
  }
  return count > 0
}

/** Of these words, those that a part of the page does not show, and those that a translator may replace somewhere in it. */
export function translatable(words: readonly string[], part: Element = document.body): readonly string[] {
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
  const shown: { text: string; isForTranslators: boolean }[] = []
  while (texts.nextNode()) {
    const { parentElement, textContent } = texts.currentNode
    if (parentElement === null || parentElement.closest('textarea, script, style') !== null) continue
    shown.push({
      text: textContent ?? '',
      isForTranslators: parentElement.closest('[translate="no"]') === null,
    })
  }
  return words.flatMap((word) => {
    const places = shown.filter(({ text }) => text.includes(word))
    if (places.length === 0) return [`${word} is not shown`]
    return places.flatMap(({ text, isForTranslators: isOpen }) => (isOpen ? [`${word} in “${text}”`] : []))
  })
}

/** Marks of names are for `withNames` alone: one in the page or in a label there was not taken out. */
export const expectNoNameMarks = (): void =>
  expect(document.documentElement.outerHTML).not.toMatch(/[\ufdd0\ufdd1]/)
