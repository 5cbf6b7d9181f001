import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CHANNELS,
  ENDPOINTS,
  getCopy,
  listNotices,
  passkeyCode,
  preparePasskeyProof,
  PUBLIC_PICTURE_PATH,
  RSS_PATH,
  topicOf,
  valueOf,
  type Endpoint,
} from '@fairlot/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PASSKEY_ORIGIN } from '../../../../testing/passkey-device.ts'
import { openPushReceiver, type PushReceiver } from '../../../../testing/push-receiver.ts'
import { newTrader } from '../../../../testing/traders.ts'
import { filesIn } from '../testing/archive.ts'
import { setUpPayments } from '../testing/payments.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { openSocket, type SocketReader } from '../testing/sockets.ts'
import { ATTEMPTS } from '../accounts/desk/testing/attempts.ts'
import {
  keyOf,
  newOtherUser,
  createCanaries,
  switchCopyingOn,
  type Canaries,
} from '../accounts/desk/testing/canaries.ts'

/** An answer with its content type; for an archive, the texts in it. */
type Answer = { readonly name: string; readonly status: number; readonly text: string }

/** These calls end their own session, so each gets a new one. */
const ENDING = new Set(['logOut', 'logOutEverywhere', 'closeAccount'])
/** Their answers change with time or with attempts to log in. */
const CHANGING = new Set(['listSessions', 'listActivity', 'getBalanceHistory', 'getStatement'])
/** Tables without rows of the user, and why. */
const EMPTY = {
  account_day: 'sums that are counted later',
  equity_range: 'written at full hours',
}

const sendsOf = ({ name }: Endpoint, { theirs }: Canaries): readonly unknown[] =>
  ATTEMPTS.find((attempt) => attempt.name === name)?.sends(theirs) ?? [null]

describe.each(DATABASES)('what belongs to one user, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-canary-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  let browsers: { readonly theirs: PushReceiver; readonly ofStranger: PushReceiver }
  // Before the server's, so that it is done after the last push.
  afterAll(() => Object.values(browsers).forEach(({ close }) => close()))
  const server = serverOn(kind, {
    env: {
      DATA_DIR: dataDir,
      SETTING_DATA_DOWNLOADS_PER_DAY: '100',
      PASSKEY_ORIGINS: PASSKEY_ORIGIN,
      PUSH_TO_LOOPBACK: 'yes',
    },
  })
  const newToken = {
    visitor: async () => null,
    demo: async () => {
      const trader = await newTrader(server())
      await trader.order()
      return trader.token
    },
    'another user': () => newOtherUser(server()),
  }
  type Stranger = keyof typeof newToken
  const STRANGERS = Object.keys(newToken) as readonly Stranger[]
  const listeners = new Map<Stranger, { readonly token: string | null; readonly socket: SocketReader }>()
  let canaries: Canaries

  beforeAll(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    await switchCopyingOn(server())
    await setUpPayments(server())
    for (const stranger of STRANGERS) {
      const token = await newToken[stranger]()
      listeners.set(stranger, { token, socket: await listen(token) })
    }
    browsers = { theirs: await openPushReceiver(), ofStranger: await openPushReceiver() }
    const { theirs, ofStranger } = browsers
    canaries = await createCanaries(server(), {
      theirs: theirs.subscription,
      ofStranger: ofStranger.subscription,
    })
    const { client, copyId } = canaries.theirs
    // The strategy's figures, and the notice of the copy, come within seconds.
    await vi.waitFor(
      async () => {
        const { copy } = valueOf(await client.call(getCopy, { copyId }))
        const { notices } = valueOf(await client.call(listNotices, { page: 1, before: null }))
        expect(copy.providerRate).not.toBe(0)
        expect(notices.map((one) => one.kind)).toContain('copiesChanged')
      },
      { timeout: 20_000 },
    )
  })

  /** Subscribes to every channel. */
  const listen = async (token: string | null): Promise<SocketReader> => {
    const socket = await openSocket(server(), {}, '?lang=en')
    if (token !== null) socket.send({ type: 'login', params: token })
    socket.send({ type: 'sub', params: CHANNELS.map((channel) => topicOf(channel, 'EURUSD')) })
    await socket.settled()
    return socket
  }

  const send = async (endpoint: Endpoint, sent: unknown, token: string | null): Promise<Answer> => {
    const fields = Object.entries((sent ?? {}) as object).filter(([, value]) => (value ?? null) !== null)
    const named = Object.fromEntries(fields) as Record<string, string>
    const isGet = endpoint.method === 'GET'
    const path = endpoint.path.replace(/:(\w+)/, (_, name: string) => named[name] ?? '')
    const query = isGet ? `?${new URLSearchParams(named).toString()}` : ''
    const answer = await fetch(`${server().url}${path}${query}`, {
      method: endpoint.method,
      headers: {
        lang: 'en',
        ...(!isGet && { 'content-type': 'application/json' }),
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

  /** The answers to a caller who tries to get at the owner's data by every call. */
  const answersTo = async (token: string | null, fresh: () => Promise<string | null>): Promise<Answer[]> => {
    const answers: Answer[] = []
    for (const endpoint of ENDPOINTS)
      for (const sent of sendsOf(endpoint, canaries)) {
        const by = ENDING.has(endpoint.name) ? await fresh() : token
        answers.push(await send(endpoint, sent, by))
      }
    const keys = canaries.theirs.pictures.map(keyOf)
    const open = ['/', '/readyz', RSS_PATH, ...keys.map((key) => `${PUBLIC_PICTURE_PATH}${key}.jpg`)]
    for (const path of open) {
      const answer = await fetch(`${server().url}${path}`)
      const text = `${answer.headers.get('content-type')}\n${await answer.text()}`
      answers.push({ name: path, status: answer.status, text })
    }
    return answers
  }

  /** The answers to the owner of every call that only reads. */
  const ownAnswers = async (): Promise<Answer[]> => {
    const answers: Answer[] = []
    const reads = ENDPOINTS.filter(({ method, access }) => method === 'GET' && access !== 'visitor')
    for (const endpoint of reads)
      for (const sent of sendsOf(endpoint, canaries))
        answers.push(await send(endpoint, sent, canaries.theirs.token))
    return answers
  }
  /** Without the times at which the figures were computed. */
  const still = (answers: readonly Answer[]) =>
    answers
      .filter(({ name }) => !CHANGING.has(name))
      .map((answer) => ({ ...answer, text: answer.text.replace(/"computed_at":\d+/, '') }))

  /** The names of the canaries in a text. */
  const found = (values: Readonly<Record<string, string>>, text: string): string[] =>
    Object.entries(values).flatMap(([name, value]) => (text.includes(value) ? [name] : []))

  test('has an attempt for every call with an input, and no other', () => {
    const calls = ENDPOINTS.filter((endpoint) => hasInput(endpoint)).map(({ name }) => name)
    expect(ATTEMPTS.map(({ name }) => name).toSorted()).toEqual(calls.toSorted())
    for (const { name, sends } of ATTEMPTS)
      expect([name, sends(canaries.theirs).length]).not.toEqual([name, 0])
  })

  test('is in every table about users, so that a query of any of them could reveal it', async () => {
    const { queries } = server().deployment.database
    await server().deployment.engine.caughtUp()
    const tables = await queries.introspection.getTables()
    const missing: string[] = []
    for (const { name, columns } of tables) {
      const column = columns.find((each) => ['user_id', 'account_id'].includes(each.name))?.name
      if (column === undefined || name in EMPTY) continue
      const rows = queries.selectFrom(name as 'notice').select(column as 'user_id')
      const { id, copyId } = canaries.theirs
      const row = await rows
        .where(column as 'user_id', 'in', [id, copyId].map(BigInt))
        .limit(1)
        .execute()
      if (row.length === 0) missing.push(name)
    }
    expect(missing).toEqual([])
  })

  test('is shown to its owner completely, except what is internal to the broker', async () => {
    const socket = await listen(canaries.theirs.token)
    const { client, passkey, token } = canaries.theirs
    const challenge = valueOf(await client.call(preparePasskeyProof, { purpose: 'dataCopy' }))
    const proof = { auth_code: passkeyCode(passkey.sign(challenge)) }
    const downloadOwnData = ENDPOINTS.find(({ name }) => name === 'takeData')
    if (!downloadOwnData) throw new Error('no call for the own data')
    const archive = await send(downloadOwnData, proof, token)
    const answers = [...(await ownAnswers()), archive]
    expect(undecoded(answers)).toEqual([])
    const text = answers.map((answer) => answer.text).join('\n')
    const missing = Object.keys(canaries.own).filter((what) => !found(canaries.own, text).includes(what))
    expect(missing).toEqual([])
    expect(found(canaries.internal, text)).toEqual([])
    const frames = JSON.stringify(socket.messages)
    expect(found(canaries.own, frames)).toEqual(expect.arrayContaining(['takeProfit', 'target', 'stopLoss']))
    socket.socket.close()
  })

  test.each(STRANGERS)(
    'is in no answer and no message to %s, who cannot change it either',
    async (stranger) => {
      const { token, socket } = listeners.get(stranger) ?? { token: null, socket: await listen(null) }
      const before = still(await ownAnswers())
      const answers = await answersTo(token, newToken[stranger])
      const values = { ...canaries.own, ...canaries.internal }
      const leaks = answers.flatMap(({ name, text }) => found(values, text).map((what) => `${name}: ${what}`))
      expect(leaks).toEqual([])
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      expect(undecoded(answers)).toEqual([])
      await socket.settled()
      expect(found(values, JSON.stringify(socket.messages))).toEqual([])
      expect(found(values, JSON.stringify(browsers.ofStranger.received))).toEqual([])
      expect(JSON.stringify(socket.messages)).not.toContain(`"To":${canaries.theirs.id},`)
      const changed = still(await ownAnswers()).filter(({ text }, index) => text !== before[index]?.text)
      expect(changed).toEqual([])
    },
  )
})

/** Attempts that prove nothing, as the call could not decode them. The picture uploaded here is not a valid one. */
const undecoded = (answers: readonly Answer[]): string[] =>
  answers.flatMap(({ name, text }) =>
    name !== 'uploadPicture' && /"reason":"(notUnderstood|idInvalid)"/.test(text) ? [name] : [],
  )

/** Calls without an input share one codec. */
const NO_INPUT = ENDPOINTS.find(({ name }) => name === 'logOut')?.request
const hasInput = ({ request }: Endpoint): boolean => request !== NO_INPUT
