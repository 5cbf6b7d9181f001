import { globalsIn } from './globals.ts'
import { importsOf } from './imports.ts'
import type { Finding, Rule } from './rule.ts'
import { codeFiles, isTest, type Tree, type TreeFile } from './tree.ts'

const CONFIG = 'apps/server/src/config/config.ts'
const mayRead = (path: string): boolean =>
  path === CONFIG ||
  isTest(path) ||
  /^(tools|testing|e2e|bench|faults)\//.test(path) ||
  /^[a-z]+\.config\.ts$/.test(path)

const MESSAGE = `reads the environment: add the setting to ${CONFIG} and take it as a parameter.`

function findingsIn(tree: Tree, file: TreeFile): Finding[] {
  const uses = globalsIn(file).filter(({ name }) => name === 'process.env')
  const imports = importsOf(tree, file).filter(({ specifier }) => /^(node:)?process$/.test(specifier))
  return [...uses, ...imports].map(({ line }) => ({ path: file.path, line, message: MESSAGE }))
}

export const environment: Rule = {
  name: 'environment',
  says: `Only ${CONFIG} reads process.env; tools, benches, faults, journeys, tests and what they share are free.`,
  look: (tree) => {
    const files = codeFiles(tree, (path) => !mayRead(path))
    return { looked: files.length, findings: files.flatMap((file) => findingsIn(tree, file)) }
  },
}
