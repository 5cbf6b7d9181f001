import { fileURLToPath } from 'node:url'
import { listInstruments, valueOf } from '@fairlot/contract'
import { clientOf } from '../testing/client.ts'
import { GENEROUS_LIMITS } from '../testing/generous-limits.ts'
import type { Random } from '../testing/random.ts'
import { createServerProcess, type ServerProcess } from '../testing/server-process.ts'
import { until } from '../testing/wait.ts'
import { start } from '../testing/child-processes.ts'
import { CASHIER_ENV, openCashier, type Cashier } from './cashier.ts'
import { openAccount, type Trader } from './client.ts'
import { createDesk, type Desk } from './operator-desk.ts'
import { createJournalReader, type JournalReader } from './journal-reader.ts'
import { startLoad, type Load } from './load.ts'
import { createNotebook, type Note, type Notebook } from './answer-log.ts'
import type { Place } from './place.ts'
import { openMovingPrices, type Code, type MovingPrices } from './moving-prices.ts'
import { ready } from './server.ts'
import { createTableCheck, type TableCheck } from './table-check.ts'
import { createWatched, WATCHED_CODE, type Watched } from './watched-orders.ts'

const DESK_SERVER = fileURLToPath(new URL('desk-server.ts', import.meta.url))
const TRADERS = 8
const PRICED_WITHIN_MS = 60_000

/** A real server with its own database, prices and traders. */
export type Harness = {
  readonly place: Place
  readonly server: ServerProcess
  readonly source: MovingPrices
  readonly notebook: Notebook
  readonly traders: readonly Trader[]
  /** An account for faults that need one of their own. */
  readonly gambler: Trader
  readonly watched: Watched
  /** Acting operators; null where there are none. */
  readonly desk: Desk | null
  /** Deposits and withdrawals; null where there are none. */
  readonly cashier: Cashier | null
  readonly journal: JournalReader
  readonly tables: TableCheck
  /** Every change of the run. */
  readonly allNotes: Note[]
  readonly random: Random
  idOf(code: Code): number
  startLoad(): Load
  /** The environment of the server. */
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

export type HarnessOptions = {
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Operators change terms, statuses and money meanwhile. */
  readonly hasDesk?: boolean | undefined
  /** A user deposits and withdraws by API and desk. */
  readonly hasCashier?: boolean | undefined
}

export async function createHarness(
  place: Place,
  random: Random,
  { env: extra = {}, hasDesk = false, hasCashier = false }: HarnessOptions = {},
): Promise<Harness> {
  const source = await openMovingPrices(random)
  const env = {
    ...GENEROUS_LIMITS,
    FEED: source.url,
    MARKET_HOURS: 'always',
    LOG_LEVEL: 'error',
    ...place.env,
    ...(hasCashier && CASHIER_ENV),
    ...extra,
  }
  const desk = hasDesk ? createDesk((line) => server.say(line)) : null
  const server: ServerProcess = await createServerProcess({
    env,
    spawn: start,
    ...(desk && { program: DESK_SERVER, onLine: desk.onLine }),
  })
  server.start()
  await ready(server)
  const ids = await instrumentIds(server.url)
  const idOf = (code: Code) => ids.get(code) ?? 0
  const notebook = createNotebook()
  const opened = Array.from({ length: TRADERS + 2 }, () => openAccount(server.url, notebook))
  const [watcher, gambler, ...traders] = await Promise.all(opened)
  if (!watcher || !gambler) throw new Error('no account was opened')
  const cashier = hasCashier ? await openCashier(server.url, place) : null
  return {
    place,
    server,
    source,
    notebook,
    traders,
    gambler,
    random,
    idOf,
    env,
    desk,
    cashier,
    watched: createWatched(watcher, source, idOf(WATCHED_CODE)),
    journal: createJournalReader(),
    tables: createTableCheck(),
    allNotes: [],
    startLoad: () => startLoad({ traders, source, random, idOf }),
    close: async () => {
      await server.kill()
      source.close()
    },
  }
}

/** Resolves with the instruments' ids once there are prices. */
function instrumentIds(baseUrl: string): Promise<Map<string, number>> {
  const client = clientOf(baseUrl)
  return until('prices arrive', PRICED_WITHIN_MS, async () => {
    const listed = valueOf(await client.call(listInstruments, { search: null }))
    const priced = listed.filter(({ bid }) => bid !== null)
    return priced.length < 3 ? null : new Map(priced.map(({ code, id }) => [code, id]))
  })
}
