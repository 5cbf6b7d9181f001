import type { Tree } from './tree.ts'

/** One breach, with what to do instead. `line` counts from 1. */
export type Finding = { readonly path: string; readonly line?: number; readonly message: string }

/** What a rule saw. `looked` counts the things it judged, so that a rule whose paths have moved away cannot pass. */
export type Looked = { readonly looked: number; readonly findings: readonly Finding[] }

export type Rule = {
  readonly name: string
  /** The rule in one sentence. */
  readonly says: string
  readonly look: (tree: Tree) => Looked
  /** True when there is nothing to judge yet and that is fine. Without it, looking at nothing is a finding. */
  readonly mayRest?: (tree: Tree) => boolean
}

/** Every finding of the rules over the tree, one line of text each; empty when the tree is tidy. */
export const judge = (tree: Tree, rules: readonly Rule[]): string[] =>
  rules.flatMap((rule) => judgeOne(tree, rule).map((finding) => describe(rule, finding)))

function judgeOne(tree: Tree, rule: Rule): readonly Finding[] {
  const { looked, findings } = rule.look(tree)
  if (looked > 0 || rule.mayRest?.(tree)) return findings
  return [
    ...findings,
    { path: 'tools/tidy', message: 'this rule looked at nothing: correct the paths it reads.' },
  ]
}

const describe = (rule: Rule, { path, line, message }: Finding): string =>
  `${path}${line === undefined ? '' : `:${line}`} [${rule.name}] ${message}`
