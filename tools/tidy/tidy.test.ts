import { describe, expect, it } from 'vitest'
import { PLANTS } from './planted.ts'
import { judge, type Rule } from './rule.ts'
import { RULES } from './rules.ts'
import { LONG_FILES } from './sizes.ts'
import { treeOf } from './tree.ts'
import { READ_BY_OTHERS } from './wire-fields.ts'

const reportedPaths = (rule: Rule, files: Readonly<Record<string, string>>): string[] => [
  ...new Set(rule.look(treeOf(files)).findings.map(({ path }) => path)),
]

const planted = RULES.filter(({ name }) => name !== 'arrows')

describe('tidy', () => {
  it('has a planted breach for every rule', () => {
    expect(planted.map(({ name }) => name).sort()).toEqual(Object.keys(PLANTS).sort())
  })

  it.each(planted)('$name reports each planted breach', (rule) => {
    const bad = PLANTS[rule.name]?.bad ?? {}
    const isReported = reportedPaths(rule, bad)
    for (const path of Object.keys(bad)) expect(isReported).toContain(path)
  })

  it.each(planted)('$name lets pass what is no breach', (rule) => {
    const good = PLANTS[rule.name]?.good ?? {}
    expect(rule.look(treeOf(good)).looked).toBeGreaterThan(0)
    expect(reportedPaths(rule, good)).toEqual([])
  })

  it('reports a rule that looked at nothing', () => {
    const silent = judge(treeOf({}), RULES).filter((line) => line.includes('looked at nothing'))
    const mayRest = RULES.filter((rule) => rule.mayRest)
    expect(silent).toHaveLength(RULES.length - mayRest.length)
  })

  it('writes where, which rule and what to do', () => {
    const tree = treeOf({ 'packages/core/src/decide.ts': '\nexport const at = Date.now()\n' })
    const [line] = judge(
      tree,
      RULES.filter(({ name }) => name === 'clock'),
    )
    expect(line).toMatch(/^packages\/core\/src\/decide\.ts:2 \[clock\] Date\.now .*parameter\.$/)
  })

  it('names an unfinished language', () => {
    const tree = treeOf({ ...PLANTS['translations']?.bad, 'apps/server/src/i18n/hk.json': '{}' })
    const findings = judge(
      tree,
      RULES.filter(({ name }) => name === 'translations'),
    )
    expect(findings).toContain(
      'apps/web/src/i18n/messages/en.json [translations] has no text for "trade.sell".',
    )
    expect(findings).toContain(
      'apps/web/src/i18n/messages/hk.json [translations] has no text for "trade.buy".',
    )
    expect(findings.join('\n')).toContain('apps/server/src/i18n/en.json [translations] is missing')
    expect(findings.join('\n')).toContain('apps/server/src/i18n [translations] holds no texts at all')
  })

  it('names who reads each field of the wire that our app does not', () => {
    for (const reason of Object.values(READ_BY_OTHERS)) expect(reason.length).toBeGreaterThan(20)
  })

  it('gives a reason for every file that may be long', () => {
    for (const reason of Object.values(LONG_FILES)) expect(reason.length).toBeGreaterThan(20)
  })
})
