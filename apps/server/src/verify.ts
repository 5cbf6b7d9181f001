/** `npm run verify`: works out a database anew from its journal and tells the first difference. */
import { parseArgs } from 'node:util'
import { seedTerms } from '@fairlot/core'
import { openForReading, type Queries } from './database/open.ts'
import { readEnvironment, type Config } from './config/config.ts'
import { firstTerms } from './start-terms.ts'
import { readToldHash, toldDifference, type ToldHash } from './verify/mailed-hash.ts'
import { verify, type Counts } from './verify/verify.ts'

/** A statement that takes longer means that something is wrong with the database. */
const LOOK_TIMEOUT_MS = 120_000

const CLEAN = 0
const DIFFERENT = 1
const CANNOT_RUN = 2

async function main(config: Config, { accountId, told }: Asked): Promise<number> {
  const database = await openForReading(config)
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
        const verified = await verify({ ...database, queries }, accountId, lastTerms)
        const { counts } = verified
        const difference = verified.difference ?? (await rewritten(queries, told))
        console.log(difference === null ? summary(counts) : `Difference: ${difference}.`)
        return difference === null ? CLEAN : DIFFERENT
      })
  } finally {
    await line.close()
    await database.close()
  }
}

/** The first that is not as it was told once. */
async function rewritten(queries: Queries, told: Asked['told']): Promise<string | null> {
  for (const [table, hash] of told) {
    const difference = await toldDifference(queries, table, hash)
    if (difference !== null) return difference
  }
  return null
}

const isKnown = async (queries: Queries, accountId: number): Promise<boolean> =>
  (await queries
    .selectFrom('account')
    .select('id')
    .where('id', '=', BigInt(accountId))
    .executeTakeFirst()) !== undefined

const summary = ({ accounts, orders, receipts, transfers }: Counts): string =>
  `${accounts} accounts, ${orders} orders, ${receipts} receipts, ${transfers} ledger rows checked: no difference`

type Asked = {
  /** Null for all of them. */
  readonly accountId: number | null
  /** Hashes that somebody kept outside. */
  readonly told: readonly (readonly [table: 'journal' | 'desk_act', hash: ToldHash])[]
}

/** `--account N`, `--hash ROW:HASH` and `--act ACT:HASH`. Throws where the arguments are not understood. */
function readArguments(): Asked {
  const text = { type: 'string' } as const
  const { account, hash, act } = parseArgs({ options: { account: text, hash: text, act: text } }).values
  if (account !== undefined && !/^[1-9]\d{0,14}$/.test(account))
    throw new Error('--account takes the number of an account.')
  return {
    accountId: account === undefined ? null : Number(account),
    told: [...toldAs('journal', '--hash', hash), ...toldAs('desk_act', '--act', act)],
  }
}

function toldAs(table: 'journal' | 'desk_act', option: string, text: string | undefined): Asked['told'] {
  if (text === undefined) return []
  const told = readToldHash(text)
  if (!told) throw new Error(`${option} takes a number and a hash, such as 12:0a1b..., as they were mailed.`)
  return [[table, told]]
}

try {
  const config = readEnvironment()
  if ('problem' in config) throw new Error(config.problem)
  process.exitCode = await main(config, readArguments())
} catch (error) {
  console.error(`Cannot verify: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = CANNOT_RUN
}
