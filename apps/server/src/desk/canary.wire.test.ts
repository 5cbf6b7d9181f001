import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHANNELS, ENDPOINTS, PUBLIC_PICTURE_PATH, RSS_PATH, topicOf, type Endpoint } from '@fairlot/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newTrader } from '../../../../testing/traders.ts'
import { PASSWORD } from '../testing/accounts.ts'
import { filesIn } from '../testing/archive.ts'
import { setUpPayments } from '../testing/payments.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { openSocket, type SocketReader } from '../testing/socket-reader.ts'
import { ATTEMPTS } from './people/testing/attempts.ts'
import { keyOf, newNeighbour, plantCanaries, type Canaries } from './people/testing/canaries.ts'

/** An answer as it came, with its type; of an archive the texts in it. */
type Answer = { readonly name: string; readonly status: number; readonly text: string }

/** These end the session they are made with, so each is made with one of its own. */
const ENDING = new Set(['logOut', 'logOutEverywhere', 'closeAccount'])
/** What their answers say moves with time, or tells of tries to log in. */
const MOVING = new Set(['listSessions', 'listActivity', 'getBalanceHistory', 'getStatement'])
/** Tables that have nothing of them, and why. */
const EMPTY = {
  recovery_code: 'hashes of a second factor that is on',
  account_day: 'sums that are counted later',
}

const sendsOf = ({ name }: Endpoint, { theirs }: Canaries): readonly unknown[] =>
  ATTEMPTS.find((attempt) => attempt.name === name)?.sends(theirs) ?? [null]

describe.each(DATABASES)('what belongs to one user, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-canary-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = serverOn(kind, { env: { DATA_DIR: dataDir, SETTING_DATA_DOWNLOADS_PER_DAY: '100' } })
  const newToken = {
    visitor: async () => null,
    demo: async () => {
      const trader = await newTrader(server())
      await trader.order()
      return trader.token
    },
    'another user': () => newNeighbour(server()),
  }
  type Stranger = keyof typeof newToken
  const STRANGERS = Object.keys(newToken) as readonly Stranger[]
  const heard = new Map<Stranger, { readonly token: string | null; readonly socket: SocketReader }>()
  let planted: Canaries

  beforeAll(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    await setUpPayments(server())
    for (const stranger of STRANGERS) {
      const token = await newToken[stranger]()
      heard.set(stranger, { token, socket: await listen(token) })
    }
    planted = await plantCanaries(server())
  })

  /** On every channel there is. */
  const listen = async (token: string | null): Promise<SocketReader> => {
    const socket = await openSocket(server(), {}, '?lang=en')
    if (token !== null) socket.send({ type: 'login', params: token })
    socket.send({ type: 'sub', params: CHANNELS.map((channel) => topicOf(channel, 'EURUSD')) })
    await socket.settled()
    return socket
  }

  const ask = async (endpoint: Endpoint, sent: unknown, token: string | null): Promise<Answer> => {
    const fields = Object.entries((sent ?? {}) as object).filter(([, value]) => (value ?? null) !== null)
    const named = Object.fromEntries(fields) as Record<string, string>
    const isGet = endpoint.method === 'GET'
    const path = endpoint.path.replace(/:(\w+)/, (_, name: string) => named[name] ?? '')
    const query = isGet ? `?${new URLSearchParams(named).toString()}` : ''
    const answer = await fetch(`${server().url}${path}${query}`, {
      method: endpoint.method,
      headers: {
        ...{ lang: 'en', ...(!isGet && { 'content-type': 'application/json' }) },
        ...(token !== null && { authorization: token }),
      },
      ...(!isGet && { body: JSON.stringify(named) }),
    })
    const { status } = answer
    const type = answer.headers.get('content-type') ?? ''
    if (type !== 'application/zip')
      return { name: endpoint.name, status, text: `${type}\n${await answer.text()}` }
    const files = filesIn(Buffer.from(await answer.arrayBuffer()))
    return { name: endpoint.name, status, text: [...files].flat().map(String).join('\n') }
  }

  /** Everything that a caller is told who asks by every call for what the owner has. */
  const lookAs = async (token: string | null, fresh: () => Promise<string | null>): Promise<Answer[]> => {
    const answers: Answer[] = []
    for (const endpoint of ENDPOINTS)
      for (const sent of sendsOf(endpoint, planted)) {
        const by = ENDING.has(endpoint.name) ? await fresh() : token
        answers.push(await ask(endpoint, sent, by))
      }
    const keys = planted.theirs.pictures.map(keyOf)
    const open = ['/', '/readyz', RSS_PATH, ...keys.map((key) => `${PUBLIC_PICTURE_PATH}${key}.jpg`)]
    for (const path of open) {
      const answer = await fetch(`${server().url}${path}`)
      const text = `${answer.headers.get('content-type')}\n${await answer.text()}`
      answers.push({ name: path, status: answer.status, text })
    }
    return answers
  }

  /** What the owner reads by every call that only reads. */
  const ownAnswers = async (): Promise<Answer[]> => {
    const answers: Answer[] = []
    const reads = ENDPOINTS.filter(({ method, access }) => method === 'GET' && access !== 'visitor')
    for (const endpoint of reads)
      for (const sent of sendsOf(endpoint, planted))
        answers.push(await ask(endpoint, sent, planted.theirs.token))
    return answers
  }
  const still = (answers: readonly Answer[]) => answers.filter(({ name }) => !MOVING.has(name))

  /** Which canaries are in a text, by what they are. */
  const found = (marks: Readonly<Record<string, string>>, text: string): string[] =>
    Object.entries(marks).flatMap(([what, mark]) => (text.includes(mark) ? [what] : []))

  test('has a try for every call that takes something, and none for a call that is not there', () => {
    const takers = ENDPOINTS.filter((endpoint) => takesSomething(endpoint)).map(({ name }) => name)
    expect(ATTEMPTS.map(({ name }) => name).toSorted()).toEqual(takers.toSorted())
    for (const { name, sends } of ATTEMPTS)
      expect([name, sends(planted.theirs).length]).not.toEqual([name, 0])
  })

  test('stands in every table about people, so that a query of any of them could tell it', async () => {
    const { queries } = server().deployment.database
    await server().deployment.engine.caughtUp()
    const tables = await queries.introspection.getTables()
    const missing: string[] = []
    for (const { name, columns } of tables) {
      const column = columns.find((each) => ['user_id', 'account_id'].includes(each.name))?.name
      if (column === undefined || name in EMPTY) continue
      const rows = queries.selectFrom(name as 'notice').select(column as 'user_id')
      const row = await rows
        .where(column as 'user_id', '=', BigInt(planted.theirs.id))
        .limit(1)
        .execute()
      if (row.length === 0) missing.push(name)
    }
    expect(missing).toEqual([])
  })

  test('is told to its owner, all of it, and what is of the house not even to them', async () => {
    const socket = await listen(planted.theirs.token)
    const { token } = planted.theirs
    const takeData = ENDPOINTS.find(({ name }) => name === 'takeData')
    if (!takeData) throw new Error('no call for the own data')
    const archive = await ask(takeData, { password: PASSWORD }, token)
    const answers = [...(await ownAnswers()), archive]
    expect(misread(answers)).toEqual([])
    const text = answers.map((answer) => answer.text).join('\n')
    const missing = Object.keys(planted.own).filter((what) => !found(planted.own, text).includes(what))
    expect(missing).toEqual([])
    expect(found(planted.ofTheHouse, text)).toEqual([])
    const frames = JSON.stringify(socket.messages)
    expect(found(planted.own, frames)).toEqual(expect.arrayContaining(['takeProfit', 'target', 'stopLoss']))
    socket.socket.close()
  })

  test.each(STRANGERS)(
    'is in no answer and no frame to %s, and nothing of it is changed',
    async (stranger) => {
      const { token, socket } = heard.get(stranger) ?? { token: null, socket: await listen(null) }
      const before = still(await ownAnswers())
      const answers = await lookAs(token, newToken[stranger])
      const marks = { ...planted.own, ...planted.ofTheHouse }
      const told = answers.flatMap(({ name, text }) => found(marks, text).map((what) => `${name}: ${what}`))
      expect(told).toEqual([])
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      expect(misread(answers)).toEqual([])
      await socket.settled()
      expect(found(marks, JSON.stringify(socket.messages))).toEqual([])
      expect(JSON.stringify(socket.messages)).not.toContain(`"To":${planted.theirs.id},`)
      const changed = still(await ownAnswers()).filter(({ text }, index) => text !== before[index]?.text)
      expect(changed).toEqual([])
    },
  )
})

/** Tries that say nothing, since the call did not understand them; the picture that is uploaded here is none. */
const misread = (answers: readonly Answer[]): string[] =>
  answers.flatMap(({ name, text }) =>
    name !== 'uploadPicture' && /"reason":"(notUnderstood|idInvalid)"/.test(text) ? [name] : [],
  )

/** Whether a call takes anything: those that take nothing share one codec. */
const NOTHING = ENDPOINTS.find(({ name }) => name === 'logOut')?.request
const takesSomething = ({ request }: Endpoint): boolean => request !== NOTHING
