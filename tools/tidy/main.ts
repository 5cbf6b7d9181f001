import { fileURLToPath } from 'node:url'
import { judge } from './rule.ts'
import { RULES } from './rules.ts'
import { readTree } from './tree.ts'

const tree = readTree(fileURLToPath(new URL('../../', import.meta.url)))
const findings = judge(tree, RULES)
for (const finding of findings) console.error(finding)
console.log(`tidy: ${RULES.length} rules over ${tree.size} files, ${findings.length} findings`)
process.exitCode = findings.length === 0 ? 0 : 1
