import { fileURLToPath } from 'node:url'
import { createClient, listInstruments, valueOf } from '@fairlot/contract'
import type { Chance } from './chance.ts'
import { openAccount, type Trader } from './client.ts'
import { createDesk, type Desk } from './desk.ts'
import { createJournalTruth, type JournalTruth } from './journal-truth.ts'
import { startLoad, type Load } from './load.ts'
import { createNotebook, type Note, type Notebook } from './notebook.ts'
import type { Planned } from './plan.ts'
import type { Place } from './place.ts'
import { openPriceSource, type Code, type PriceSource } from './price-source.ts'
import { createServerProcess, MAIN, type ServerProcess } from './server.ts'
import { createTableCheck, type TableCheck } from './table-check.ts'
import { until } from './wait.ts'
import { createWatched, type Watched } from './watched.ts'

const DESK_SERVER = fileURLToPath(new URL('desk-server.ts', import.meta.url))
const TRADERS = 8
const PRICED_WITHIN_MS = 15_000

/** Limits that are not what is tested here. */
const GENEROUS = {
  SETTING_CALLS_PER_SECOND: '100000',
  SETTING_ADDRESS_CALLS_PER_SECOND: '100000',
  SETTING_DEMO_ACCOUNTS_PER_HOUR: '100000',
  SETTING_FAILED_LOGINS_PER_ADDRESS: '100000',
}

/** A real server with its database, prices and traders, all of them ours. */
export type Floor = {
  readonly place: Place
  readonly server: ServerProcess
  readonly source: PriceSource
  readonly notebook: Notebook
  readonly traders: readonly Trader[]
  /** Trades nothing by itself: an account for what needs one alone. */
  readonly gambler: Trader
  readonly watched: Watched
  /** Operators at work; null where there are none. */
  readonly desk: Desk | null
  readonly truth: JournalTruth
  readonly tables: TableCheck
  /** Every change ever made on this floor. */
  readonly allNotes: Note[]
  readonly chance: Chance
  idOf(code: Code): number
  startLoad(): Load
  /** What the server was told by its environment. */
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

export async function openFloor(
  place: Place,
  chance: Chance,
  { env: extra = {}, hasDesk = false }: Pick<Planned, 'env' | 'hasDesk'> = {},
): Promise<Floor> {
  const source = await openPriceSource(chance)
  const env = {
    ...GENEROUS,
    FEED: source.url,
    MARKET_HOURS: 'always',
    LOG_LEVEL: 'silent',
    ...place.env,
    ...extra,
  }
  const desk = hasDesk ? createDesk((line) => server.say(line)) : null
  const server: ServerProcess = await createServerProcess(
    env,
    desk ? { program: DESK_SERVER, onLine: desk.hear } : { program: MAIN },
  )
  server.start()
  await server.ready()
  const ids = await instrumentIds(server.url)
  const idOf = (code: Code) => ids.get(code) ?? 0
  const notebook = createNotebook()
  const opened = Array.from({ length: TRADERS + 2 }, () => openAccount(server.url, notebook))
  const [watcher, gambler, ...traders] = await Promise.all(opened)
  if (!watcher || !gambler) throw new Error('no account was opened')
  return {
    ...{ place, server, source, notebook, traders, gambler, chance, idOf, env, desk },
    watched: createWatched(watcher, source, idOf('GBPUSD')),
    truth: createJournalTruth(),
    tables: createTableCheck(),
    allNotes: [],
    startLoad: () => startLoad({ traders, source, chance, idOf }),
    close: async () => {
      await server.kill()
      source.close()
    },
  }
}

/** Resolves once there are prices, with the instruments' numbers. */
function instrumentIds(baseUrl: string): Promise<Map<string, number>> {
  const client = createClient<AbortSignal>({
    ...{ fetch, baseUrl, now: Date.now },
    ...{ language: () => 'en', token: () => null },
  })
  return until('prices arrive', PRICED_WITHIN_MS, async () => {
    const listed = valueOf(await client.call(listInstruments, { search: null }))
    const priced = listed.filter(({ bid }) => bid !== null)
    return priced.length < 3 ? null : new Map(priced.map(({ code, id }) => [code, id]))
  })
}
