/** `npm run verify`: works out a database anew from its journal and tells the first difference. */
import { parseArgs } from 'node:util'
import { seedTerms } from '@fairlot/core'
import { openForReading } from './database/open.ts'
import { readEnvironment, type Config } from './plugins/config.ts'
import { firstTerms } from './start-terms.ts'
import { verify, type Counts } from './verify/verify.ts'

/** A statement that takes longer means that something is wrong with the database. */
const LOOK_TIMEOUT_MS = 120_000

const CLEAN = 0
const DIFFERENT = 1
const CANNOT_RUN = 2

async function main(config: Config, accountId: number | null): Promise<number> {
  const database = openForReading(config)
  const line = database.openLine({ timeoutMs: LOOK_TIMEOUT_MS, isDurable: true })
  try {
    return await line.queries
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (queries) => {
        if (accountId !== null && !(await isKnown(queries, accountId)))
          throw new Error(`There is no account ${accountId}.`)
        const lastTerms = async () => seedTerms(await firstTerms(queries, config.fixedSettings), 0)
        const { difference, counts } = await verify(queries, accountId, lastTerms)
        console.log(difference === null ? summary(counts) : `Difference: ${difference}.`)
        return difference === null ? CLEAN : DIFFERENT
      })
  } finally {
    await line.close()
    await database.close()
  }
}

const isKnown = async (queries: Parameters<typeof verify>[0], accountId: number): Promise<boolean> =>
  (await queries
    .selectFrom('account')
    .select('id')
    .where('id', '=', BigInt(accountId))
    .executeTakeFirst()) !== undefined

const summary = ({ accounts, orders, receipts, transfers }: Counts): string =>
  `${accounts} accounts, ${orders} orders, ${receipts} receipts, ${transfers} ledger rows checked: no difference`

/** The account of `--account N`, null without it. Throws where the arguments are not understood. */
function readArguments(): number | null {
  const { account } = parseArgs({ options: { account: { type: 'string' } } }).values
  if (account === undefined) return null
  if (!/^[1-9]\d{0,14}$/.test(account)) throw new Error('--account takes the number of an account.')
  return Number(account)
}

try {
  const config = readEnvironment()
  if ('problem' in config) throw new Error(config.problem)
  process.exitCode = await main(config, readArguments())
} catch (error) {
  console.error(`Cannot verify: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = CANNOT_RUN
}
