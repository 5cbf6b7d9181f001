import { mountDisk, makeFolder } from '../testing/child-processes.ts'
import { openCuttingProxy } from './cutting-proxy.ts'
import { FRESHNESS_MS, corruptFeed, silenceFeed } from './feed-faults.ts'
import type { HarnessOptions } from './harness.ts'
import { postgresPlace, sqlitePlace, type Place } from './place.ts'
import type { OwnPostgres } from '../testing/own-postgres.ts'
import { raceCloses } from './race-faults.ts'
import type { Strike } from './round.ts'
import {
  cutConnection,
  endConnections,
  fillDisk,
  jumpClock,
  killDatabase,
  killServer,
  startSecond,
  whilePaying,
} from './injected-faults.ts'

const RACERS = ['user', 'takeProfit', 'stopLoss', 'stopOut']
const DESK_EVENTS = [
  'termsSet',
  'termsTookEffect',
  'termsWithdrawn',
  'accountStatusSet',
  'depositOpened',
  'depositEnded',
  'withdrawalHeld',
  'withdrawalEnded',
  'adjustmentAsked',
  'adjustmentEnded',
]
const MONEY_EVENTS = ['depositEnded', 'withdrawalHeld', 'withdrawalEnded']
const DISK_MEGABYTES = 24

/** Rounds of the faults. */
export type Counts = { readonly kills: number; readonly databaseKills: number; readonly isShort: boolean }

/** The database of a fault, and the fault itself. */
export type Opened = { readonly place: Place; readonly strike: Strike; readonly close?: () => void }

/** One kind of fault, on a database of its own. */
export type Planned = HarnessOptions & {
  readonly name: string
  readonly rounds: number
  /** Reasons by which orders must have been closed at least once, so that the race really happened. */
  readonly mustEnd?: readonly string[]
  /** Events that the journal must contain at the end, for the same reason. */
  readonly mustHappen?: readonly string[]
  /** Null, with a message on the console, where this machine does not allow it. */
  readonly open: () => Promise<Opened | null>
}

export function planOf(postgres: OwnPostgres, { kills, databaseKills, isShort }: Counts): Planned[] {
  let databases = 0
  const onPostgres = async () => postgresPlace(await postgres.createDatabase(`fairlot_${(databases += 1)}`))
  const onSqlite = async () => sqlitePlace(makeFolder())
  const on = (open: () => Promise<Place>, strike: Strike) => async () => ({ place: await open(), strike })
  const few = (long: number, short: number) => (isShort ? short : long)
  const onSqliteKills = Math.floor(kills / 2)
  const freshness = { SETTING_FRESHNESS_MS: String(FRESHNESS_MS) }
  return [
    { name: 'server-kill', rounds: kills - onSqliteKills, open: on(onPostgres, killServer) },
    // The short run kills on SQLite while money moves, which covers this.
    { name: 'server-kill-embedded', rounds: few(onSqliteKills, 0), open: on(onSqlite, killServer) },
    { name: 'database-kill', rounds: databaseKills, open: on(onPostgres, killDatabase(postgres)) },
    { name: 'connection-cut', rounds: few(48, 6), open: async () => throughProxy(await onPostgres()) },
    { name: 'connections-ended', rounds: few(20, 2), open: on(onPostgres, endConnections(postgres)) },
    { name: 'disk-full', rounds: few(10, 1), open: onSmallDisk },
    { name: 'feed-silent', rounds: few(5, 1), env: freshness, open: on(onSqlite, silenceFeed) },
    { name: 'feed-mad', rounds: few(5, 1), open: on(onSqlite, corruptFeed) },
    {
      name: 'close-race',
      rounds: few(30, 3),
      mustEnd: isShort ? [] : RACERS,
      open: on(onPostgres, raceCloses),
    },
    {
      name: 'desk-kill',
      rounds: few(20, 1),
      hasDesk: true,
      mustHappen: isShort ? ['termsSet'] : DESK_EVENTS,
      open: on(onPostgres, killServer),
    },
    {
      name: 'desk-kill-embedded',
      rounds: few(20, 0),
      hasDesk: true,
      mustHappen: DESK_EVENTS,
      open: on(onSqlite, killServer),
    },
    {
      name: 'money-kill',
      rounds: few(20, 0),
      hasCashier: true,
      mustHappen: MONEY_EVENTS,
      open: on(onPostgres, whilePaying(killServer)),
    },
    {
      name: 'money-kill-embedded',
      rounds: few(20, 1),
      hasCashier: true,
      mustHappen: MONEY_EVENTS,
      open: on(onSqlite, whilePaying(killServer)),
    },
    {
      name: 'money-database-kill',
      rounds: few(10, 0),
      hasCashier: true,
      mustHappen: MONEY_EVENTS,
      open: on(onPostgres, whilePaying(killDatabase(postgres))),
    },
    { name: 'second-program', rounds: few(3, 1), open: on(onPostgres, startSecond) },
    { name: 'second-program-embedded', rounds: few(3, 0), open: on(onSqlite, startSecond) },
    { name: 'clock-jump', rounds: few(10, 2), open: on(onSqlite, jumpClock) },
  ]
}

async function throughProxy(place: Place) {
  const proxy = await openCuttingProxy()
  const url = place.env['DATABASE_URL'] ?? ''
  return { place: postgresPlace(url, proxy.through(url)), strike: cutConnection(proxy), close: proxy.close }
}

async function onSmallDisk() {
  const folder = mountDisk(DISK_MEGABYTES)
  if (folder !== null) return { place: sqlitePlace(folder), strike: fillDisk(folder) }
  console.log('disk-full is not run: it needs the permission to mount a small disk.')
  return null
}
