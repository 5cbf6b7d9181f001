/**
 * Copies a text. The browser's clipboard is there over https only, and a phone in the same house comes over http: then what
 * `select` selects is copied. False when that is not allowed either; it stays selected.
 */
export async function copyText(text: string, select: () => void): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    select()
    return document.execCommand('copy')
  }
}
