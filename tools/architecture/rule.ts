import type { Tree } from './tree.ts'

/** A violation, with what to do instead. `line` counts from 1. */
export type Finding = { readonly path: string; readonly line?: number; readonly message: string }

/** The result of a rule. `checked` counts what it examined, so that a rule with outdated paths cannot pass. */
export type Checked = { readonly checked: number; readonly findings: readonly Finding[] }

export type Rule = {
  readonly name: string
  readonly description: string
  readonly check: (tree: Tree) => Checked
  /** True when it is fine that there is nothing to check. Otherwise checking nothing is a finding. */
  readonly mayBeEmpty?: (tree: Tree) => boolean
}

/** All findings of the rules, one line of text each. */
export const checkTree = (tree: Tree, rules: readonly Rule[]): string[] =>
  rules.flatMap((rule) => findingsOf(tree, rule).map((finding) => describe(rule, finding)))

function findingsOf(tree: Tree, rule: Rule): readonly Finding[] {
  const { checked, findings } = rule.check(tree)
  if (checked > 0 || rule.mayBeEmpty?.(tree)) return findings
  return [
    ...findings,
    { path: 'tools/architecture', message: 'this rule checked nothing: correct the paths it reads.' },
  ]
}

const describe = (rule: Rule, { path, line, message }: Finding): string =>
  `${path}${line === undefined ? '' : `:${line}`} [${rule.name}] ${message}`
