import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from './copy-button.tsx'

/** A page in a browser with or without a clipboard. */
function browser(clipboard: { writeText: () => Promise<void> } | undefined, canCopy: boolean) {
  vi.stubGlobal('navigator', { clipboard })
  vi.stubGlobal('document', { execCommand: () => canCopy })
  const select = vi.fn<() => void>()
  return { select, copy: () => copyText('text', select) }
}

afterEach(() => vi.unstubAllGlobals())

test('does not change the selection when the clipboard is available', async () => {
  const { copy, select } = browser({ writeText: async () => undefined }, false)
  expect(await copy()).toBe(true)
  expect(select).not.toHaveBeenCalled()
})

test('copies the selected text over plain http and when the clipboard is forbidden', async () => {
  for (const clipboard of [undefined, { writeText: () => Promise.reject(new Error('forbidden')) }]) {
    const { copy, select } = browser(clipboard, true)
    expect(await copy()).toBe(true)
    expect(select).toHaveBeenCalledOnce()
  }
})

test('returns false when copying is not allowed', async () => {
  expect(await browser(undefined, false).copy()).toBe(false)
})
