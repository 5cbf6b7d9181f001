import type { Finding, Rule } from './rule.ts'
import { type TreeFile, codeFiles } from './tree.ts'

/** A finding for each matching line; `message` gets the matched text. */
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

// In two parts, so that this file does not report itself.
const WORDS = ['TO' + 'DO', 'FIX' + 'ME']
const PATTERN = new RegExp(`\\b(${WORDS.join('|')})\\b`)

export const leftOvers: Rule = {
  name: 'left-overs',
  description: 'No notes about work left over in the code.',
  check: (tree) => {
    const files = codeFiles(tree)
    const message = (word: string): string =>
      `"${word}": finish it now, or open an issue and leave no mark here.`
    return { checked: files.length, findings: files.flatMap((file) => matchingLines(file, PATTERN, message)) }
  },
}

const LINT = /(?:ox|es)lint-disable(?!.* -- \S)/
const TYPES = /@ts-(?:ignore|nocheck|expect-error(?!\s+\S+\s+\S))/

export const suppressions: Rule = {
  name: 'suppressions',
  description: 'Every suppression of a checker gives its reason on the same line.',
  check: (tree) => {
    const files = codeFiles(tree, (path) => !path.startsWith('tools/architecture/'))
    const findings = files.flatMap((file) => [
      ...matchingLines(
        file,
        LINT,
        () => 'silences the linter without a reason: add " -- why" on the same line.',
      ),
      ...matchingLines(
        file,
        TYPES,
        () => 'silences the type check: use @ts-expect-error followed by the reason.',
      ),
    ])
    return { checked: files.length, findings }
  },
}
