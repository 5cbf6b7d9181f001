/** `npm run verify`: recomputes a database from its journal and prints the first difference. */
import { parseArgs } from 'node:util'
import { seedTerms } from '@fairlot/core'
import { openForReading, type Queries } from '../platform/database/open.ts'
import { readEnvironment, type Config } from '../platform/config/config.ts'
import { firstTerms } from '../deployment/start-terms.ts'
import { readPublishedHash, publishedHashDifference, type PublishedHash } from '../verify/mailed-hashes.ts'
import { verify, type Counts } from '../verify/verify.ts'

/** A slower statement means that something is wrong with the database, ms. */
const STATEMENT_TIMEOUT_MS = 120_000

const CLEAN = 0
const DIFFERENT = 1
const CANNOT_RUN = 2

async function main(config: Config, { accountId, published }: Options): Promise<number> {
  const database = await openForReading(config)
  const connection = database.openConnection({ timeoutMs: STATEMENT_TIMEOUT_MS, isDurable: true })
  try {
    return await connection.queries
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (queries) => {
        if (accountId !== null && !(await isKnown(queries, accountId)))
          throw new Error(`There is no account ${accountId}.`)
        const lastTerms = async () => seedTerms(await firstTerms(queries, config.fixedSettings), 0)
        const verified = await verify({ ...database, queries }, accountId, lastTerms)
        const { counts } = verified
        const difference = verified.difference ?? (await rewritten(queries, published))
        console.log(difference === null ? summary(counts) : `Difference: ${difference}.`)
        return difference === null ? CLEAN : DIFFERENT
      })
  } finally {
    await connection.close()
    await database.close()
  }
}

/** The first published hash that no longer matches. */
async function rewritten(queries: Queries, published: Options['published']): Promise<string | null> {
  for (const [table, hash] of published) {
    const difference = await publishedHashDifference(queries, table, hash)
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

type Options = {
  /** Null for all accounts. */
  readonly accountId: number | null
  /** Hashes that were kept outside the database. */
  readonly published: readonly (readonly [table: 'journal' | 'desk_act', hash: PublishedHash])[]
}

/** `--account N`, `--hash ROW:HASH` and `--act ACT:HASH`. Throws an Error for other arguments. */
function readArguments(): Options {
  const text = { type: 'string' } as const
  const { account, hash, act } = parseArgs({ options: { account: text, hash: text, act: text } }).values
  if (account !== undefined && !/^[1-9]\d{0,14}$/.test(account))
    throw new Error('--account takes the number of an account.')
  return {
    accountId: account === undefined ? null : Number(account),
    published: [...publishedAs('journal', '--hash', hash), ...publishedAs('desk_act', '--act', act)],
  }
}

function publishedAs(
  table: 'journal' | 'desk_act',
  option: string,
  text: string | undefined,
): Options['published'] {
  if (text === undefined) return []
  const published = readPublishedHash(text)
  if (!published)
    throw new Error(`${option} takes a number and a hash as they were mailed, such as 12:0a1b...`)
  return [[table, published]]
}

try {
  const config = readEnvironment()
  if ('problem' in config) throw new Error(config.problem)
  process.exitCode = await main(config, readArguments())
} catch (error) {
  console.error(`Cannot verify: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = CANNOT_RUN
}
