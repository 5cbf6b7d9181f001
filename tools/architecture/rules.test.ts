import { describe, expect, it } from 'vitest'
import { EXAMPLES } from './examples.ts'
import { checkTree, type Rule } from './rule.ts'
import { RULES } from './rules.ts'
import { treeOf } from './tree.ts'
import { READ_BY_OTHERS } from './wire.ts'

const reportedPaths = (rule: Rule, files: Readonly<Record<string, string>>): string[] => [
  ...new Set(rule.check(treeOf(files)).findings.map(({ path }) => path)),
]

const rules = RULES.filter(({ name }) => name !== 'importDirections')

describe('the architecture checks', () => {
  it('has an example that breaks every rule', () => {
    expect(rules.map(({ name }) => name).sort()).toEqual(Object.keys(EXAMPLES).sort())
  })

  it.each(rules)('$name reports each example that breaks it', (rule) => {
    const bad = EXAMPLES[rule.name]?.bad ?? {}
    const isReported = reportedPaths(rule, bad)
    for (const path of Object.keys(bad)) expect(isReported).toContain(path)
  })

  it.each(rules)('$name accepts what is allowed', (rule) => {
    const good = EXAMPLES[rule.name]?.good ?? {}
    expect(rule.check(treeOf(good)).checked).toBeGreaterThan(0)
    expect(reportedPaths(rule, good)).toEqual([])
  })

  it('reports a rule that checked nothing', () => {
    const silent = checkTree(treeOf({}), RULES).filter((line) => line.includes('checked nothing'))
    const mayBeEmpty = RULES.filter((rule) => rule.mayBeEmpty)
    expect(silent).toHaveLength(RULES.length - mayBeEmpty.length)
  })

  it('reports the place, the rule and what to do', () => {
    const tree = treeOf({ 'packages/core/src/decide.ts': '\nexport const at = Date.now()\n' })
    const [line] = checkTree(
      tree,
      RULES.filter(({ name }) => name === 'clock'),
    )
    expect(line).toMatch(/^packages\/core\/src\/decide\.ts:2 \[clock\] Date\.now .*parameter\.$/)
  })

  it('has a reason for each wire field that our apps do not read', () => {
    for (const reason of Object.values(READ_BY_OTHERS)) expect(reason.length).toBeGreaterThan(20)
  })
})
