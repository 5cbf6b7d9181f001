import type { Rule } from './rule.ts'
import { matchingLines } from './text.ts'
import { codeFiles } from './tree.ts'

const LINT = /(?:ox|es)lint-disable(?!.* -- \S)/
const TYPES = /@ts-(?:ignore|nocheck|expect-error(?!\s+\S+\s+\S))/

export const suppressions: Rule = {
  name: 'suppressions',
  says: 'Whoever silences a checker gives the reason on the same line.',
  look: (tree) => {
    const files = codeFiles(tree, (path) => !path.startsWith('tools/tidy/'))
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
    return { looked: files.length, findings }
  },
}
