import { onTestFinished } from 'vitest'

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
