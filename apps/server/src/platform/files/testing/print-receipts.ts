// `npm run receipts`: how well pictures of receipts are told apart, as the share of false alarms and of repeats that are found.
//   -- 5   receipts of each layout and theme; 20 by default, which makes 200
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../database/open.ts'
import { measureReceipts } from './measure-receipts.ts'

/** The most false alarms and the fewest repeats found, in percent. */
const GOALS = { falseAlarms: 2, found: 95 } as const

const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-receipts-'))
const database = await openDatabase({ databaseUrl: null, dataDir })
async function measured() {
  try {
    return await measureReceipts(database.queries, Number(process.argv[2] ?? 20))
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true })
  }
}
const { receipts, pairs, falseAlarms, repeats, found, missed } = await measured()
const percent = (part: number, of: number): number => Math.round((10_000 * part) / of) / 100
const figures = { falseAlarms: percent(falseAlarms, pairs), found: percent(found, repeats) }
console.log(`${receipts} receipts of five layouts, in light and dark`)
console.log(
  `false alarms: ${figures.falseAlarms} % of ${pairs} pairs of different receipts of one layout (goal: at most ${GOALS.falseAlarms} %)`,
)
console.log(`repeats found: ${figures.found} % of ${repeats} (goal: at least ${GOALS.found} %)`)
for (const [what, count] of Object.entries(missed)) console.log(`  not found: ${count} ${what}`)
if (figures.falseAlarms > GOALS.falseAlarms || figures.found < GOALS.found) process.exitCode = 1
