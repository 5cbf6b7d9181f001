import { fileURLToPath } from 'node:url'
import { checkTree } from './rule.ts'
import { RULES } from './rules.ts'
import { readTree } from './tree.ts'

const tree = readTree(fileURLToPath(new URL('../../', import.meta.url)))
const findings = checkTree(tree, RULES)
for (const finding of findings) console.error(finding)
console.log(`architecture checks: ${RULES.length} rules over ${tree.size} files, ${findings.length} findings`)
process.exitCode = findings.length === 0 ? 0 : 1
