import type { Rule } from './rule.ts'
import { matchingLines } from './text.ts'
import { codeFiles } from './tree.ts'

// Put together from halves, so that this file does not report itself.
const WORDS = ['TO' + 'DO', 'FIX' + 'ME']
const PATTERN = new RegExp(`\\b(${WORDS.join('|')})\\b`)

export const leftOvers: Rule = {
  name: 'left-overs',
  says: 'No notes about work left over in the code.',
  look: (tree) => {
    const files = codeFiles(tree)
    const message = (word: string): string =>
      `"${word}": finish it now, or open an issue and leave no mark here.`
    return { looked: files.length, findings: files.flatMap((file) => matchingLines(file, PATTERN, message)) }
  },
}
