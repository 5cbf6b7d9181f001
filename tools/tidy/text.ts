import type { Finding } from './rule.ts'
import type { TreeFile } from './tree.ts'

/** A finding for each line of the file that matches; `message` gets the matched text. */
export function matchingLines(
  file: TreeFile,
  pattern: RegExp,
  message: (matched: string) => string,
): Finding[] {
  if (!pattern.test(file.text)) return []
  return file.text.split('\n').flatMap((text, index) => {
    const match = pattern.exec(text)
    return match ? [{ path: file.path, line: index + 1, message: message(match[0]) }] : []
  })
}
