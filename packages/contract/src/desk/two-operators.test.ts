import { readFileSync } from 'node:fs'
import { FREEZE_AGAIN_MS, FREEZE_ALONE_MS, HALT_AGAIN_MS, HALT_ALONE_MS } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { DESK_ENDPOINTS } from './desk-endpoints.ts'
import { DESK_PERMISSIONS } from './permissions.ts'
import { NEEDS_TWO_WORDS, ONE_OPERATOR, TWO_OPERATORS, type TwoOperatorRule } from './two-operators.ts'

const RULES: readonly TwoOperatorRule[] = Object.values(TWO_OPERATORS)

/** The rows of the table in docs/desk.md, cell by cell. */
function writtenRows(): string[][] {
  const lines = readFileSync(new URL('../../../../docs/desk.md', import.meta.url), 'utf8').split('\n')
  const head = lines.findIndex((line) => line.startsWith('| what needs two'))
  const end = lines.findIndex((line, index) => index > head && !line.startsWith('|'))
  return lines.slice(head + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

describe('the table of what needs two operators', () => {
  it('stands in docs/desk.md, row by row', () => {
    const rows = RULES.map(({ what, needsTwo, second, oneMay }) => [
      what,
      NEEDS_TWO_WORDS[needsTwo],
      DESK_PERMISSIONS[second].join(', '),
      oneMay,
    ])
    expect(writtenRows()).toEqual(rows)
  })

  it('names calls of the desk that the first one may make, or that both make in turn', () => {
    for (const { calls, first, second } of RULES)
      for (const call of calls) {
        const endpoint = DESK_ENDPOINTS.find(({ name }) => name === call)
        expect(endpoint?.permission, call).toBeOneOf([first, second])
      }
  })
})

it("takes the limits of one operator from the engine's rules", () => {
  const [minute, hour] = [60_000, 3_600_000]
  expect(ONE_OPERATOR.haltMinutes * minute).toBe(HALT_ALONE_MS)
  expect(ONE_OPERATOR.nextHaltHours * hour).toBe(HALT_AGAIN_MS)
  expect(ONE_OPERATOR.freezeHours * hour).toBe(FREEZE_ALONE_MS)
  expect(ONE_OPERATOR.nextFreezeDays * 24 * hour).toBe(FREEZE_AGAIN_MS)
})
