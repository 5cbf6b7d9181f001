import ts from 'typescript'
import type { Finding, Rule } from './rule.ts'
import { codeFiles, isTest, lineOf, parse, walk, type Tree, type TreeFile } from './tree.ts'

const FILE_LINES = 300
const TEST_FILE_LINES = 500
const FUNCTION_LINES = 70
const COMPONENT_LINES = 100

/** Files that may be longer, each with its reason. The list may only shrink. */
export const LONG_FILES: Readonly<Record<string, string>> = {}

const linesOf = (file: TreeFile): number => file.text.replace(/\n$/, '').split('\n').length
const limitOf = (path: string): number => (isTest(path) ? TEST_FILE_LINES : FILE_LINES)
const isLong = (file: TreeFile): boolean => linesOf(file) > limitOf(file.path)

function judgeFile(file: TreeFile): Finding[] {
  if (!isLong(file) || file.path in LONG_FILES) return []
  const message = `${linesOf(file)} lines, the limit is ${limitOf(file.path)}: split it by what its parts are about.`
  return [{ path: file.path, message }]
}

function staleExceptions(tree: Tree): Finding[] {
  const isStale = (path: string): boolean => {
    const file = tree.get(path)
    return !file || !isLong(file)
  }
  const message = 'is no longer too long: take it off the list in tools/tidy/sizes.ts.'
  return Object.keys(LONG_FILES)
    .filter(isStale)
    .map((path) => ({ path, message }))
}

export const fileSizes: Rule = {
  name: 'file-sizes',
  says: `No file over ${FILE_LINES} lines, no test file over ${TEST_FILE_LINES}.`,
  look: (tree) => {
    const files = codeFiles(tree)
    return { looked: files.length, findings: [...files.flatMap(judgeFile), ...staleExceptions(tree)] }
  },
}

/** A component is a function in a .tsx file with a capital first letter. */
const functionLimit = (path: string, name: string): number =>
  path.endsWith('.tsx') && /^[A-Z]/.test(name) ? COMPONENT_LINES : FUNCTION_LINES

function nameOf(node: ts.FunctionLikeDeclaration): string {
  if (node.name && ts.isIdentifier(node.name)) return node.name.text
  const owner = ts.findAncestor(node.parent, (parent) => !ts.isCallExpression(parent))
  return owner && ts.isVariableDeclaration(owner) && ts.isIdentifier(owner.name) ? owner.name.text : ''
}

/** `describe('…', () => { … })` is a chapter, not a function. */
const isChapter = (node: ts.Node): boolean =>
  ts.isCallExpression(node.parent) && /(^|\.)describe\b/.test(node.parent.expression.getText())

function judgeFunctions(file: TreeFile): { looked: number; findings: Finding[] } {
  const findings: Finding[] = []
  let looked = 0
  walk(file, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body || isChapter(node)) return
    looked += 1
    const lines = parse(file).getLineAndCharacterOfPosition(node.getEnd()).line + 2 - lineOf(file, node)
    const name = nameOf(node)
    const limit = functionLimit(file.path, name)
    const message = `${name || 'a function'} has ${lines} lines, the limit is ${limit}: give its steps names of their own.`
    if (lines > limit) findings.push({ path: file.path, line: lineOf(file, node), message })
  })
  return { looked, findings }
}

export const functionSizes: Rule = {
  name: 'function-sizes',
  says: `No function over ${FUNCTION_LINES} lines, no React component over ${COMPONENT_LINES}.`,
  look: (tree) => {
    const judged = codeFiles(tree).map(judgeFunctions)
    return {
      looked: judged.reduce((sum, { looked }) => sum + looked, 0),
      findings: judged.flatMap(({ findings }) => findings),
    }
  },
}
