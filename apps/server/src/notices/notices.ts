import type { Queries } from '../platform/database/open.ts'
import type { Committed, Engine } from '../engine/engine.ts'
import {
  factOfRow,
  isMailed,
  GROUP_OF,
  noticeFacts,
  type NoticeFact,
  storedKindsOf,
  writeNotice,
} from '../engine/projection/notice-facts.ts'
import { NOTICE_KINDS, type NoticeGroup, type OrderView } from '@fairlot/contract'
import { decimalText, fromUnits, MONEY_DECIMALS, SENT_DECIMALS } from '@fairlot/core'
import type { Transaction } from 'kysely'
import type { NoticeTable } from '../platform/database/notice-schema.ts'
import type { Tables } from '../platform/database/schema.ts'
import { faultLines } from '../platform/i18n/identity-faults.ts'
import { grouped, languageOf, translatorFor, type Translate } from '../platform/i18n/translate.ts'
import { switchedOff } from './notice-choices.ts'
import type { Outbox } from '../platform/mail/outbox.ts'
import { pushesOf } from './push-devices.ts'
import { sentCodec } from '../engine/journal/event-codec.ts'
import { creditTexts, digestIn, noticeIn, type NoticeSubjects } from './notice-text.ts'
import type { Addressee, MessageName, MessageWriter } from './message-writer.ts'

/** Notifies users of events that are not in the journal. */
export type Notices = {
  /** Writes a notice in the transaction of the event. */
  write(within: Queries, userId: number, fact: NoticeFact): Promise<void>
  /** After the commit: publishes it to the user's screens and has its mail written. */
  publish(userId: number, fact: NoticeFact): void
}

type Options = NoticeMailOptions & {
  readonly engine: Pick<Engine, 'onCommitted' | 'caughtUp'>
  /** Publishes to a user's screens. */
  readonly publishToScreens: (userId: number, fact: NoticeFact, at: number) => void
}

/** Notices of a running server. The projection writes those about journal events; their mails follow once the rows are written. */
export function startNotices(options: Options): Notices & { stop(): Promise<void> } {
  const { engine, marketNow, publishToScreens } = options
  const mails = startNoticeMails(options)
  const stopListening = engine.onCommitted(({ entry }: Committed) => {
    if (noticeFacts(entry).size > 0) void wakeAfterProjection(engine, mails)
  })
  return {
    write: (within, userId, fact) => writeNotice(within, { userId, at: marketNow(), fact }),
    publish: (userId, fact) => {
      publishToScreens(userId, fact, marketNow())
      mails.wake()
    },
    stop: () => {
      stopListening()
      return mails.stop()
    },
  }
}

/** After a failure the next poll finds the rows. */
const wakeAfterProjection = (engine: Pick<Engine, 'caughtUp'>, mails: NoticeMails): Promise<void> =>
  engine.caughtUp().then(mails.wake, () => undefined)

const POLL_MS = 5_000
const AT_ONCE = 50
const HOUR_MS = 3_600_000

/** A user gets at most this many mails of a group per hour; further notices appear in the app only. */
const MAILS_PER_HOUR: Readonly<Record<NoticeGroup, number>> = {
  margin: 2,
  stopOut: 4,
  alerts: 20,
  account: 6,
  deposit: 20,
  withdrawal: 20,
  identity: 6,
  // These groups have no mails, or mails that must always be sent.
  orders: 0,
  news: 0,
  support: 0,
  security: Infinity,
}

type Orders = ReadonlyMap<number, OrderView>

export type NoticeMailOptions = {
  readonly queries: Queries
  readonly messageWriter: MessageWriter
  /** Takes the pushes. */
  readonly outbox: Pick<Outbox, 'add'>
  /** Null for a user without an address, such as a demo account. */
  readonly contactOf: (userId: number) => Promise<Addressee | null>
  readonly ordersOf: (userId: number, orderIds: readonly number[]) => Promise<Orders>
  readonly codeOf: NoticeSubjects['codeOf']
  readonly currency: () => string
  /** Real time, epoch ms. */
  readonly now: () => number
  /** The market clock, which notices are dated by, epoch ms. */
  readonly marketNow: () => number
  readonly onError: (error: unknown, doing: string) => void
}

export type NoticeMails = {
  /** Looks for notices whose mail is due. */
  wake(): void
  stop(): Promise<void>
}

/**
 * Writes the mails and pushes of notices. They and their notice's new state are one transaction: none is lost or sent
 * twice.
 */
export function startNoticeMails(options: NoticeMailOptions): NoticeMails {
  const { queries, messageWriter, onError } = options
  let isStopped = false
  let isAgain = false
  let working: Promise<void> | null = null
  const work = async () => {
    do {
      isAgain = false
      const due = queries
        .selectFrom('notice')
        .selectAll()
        .where('mail', 'in', ['due', 'instead'])
        // Those that wait for a digest come last, so that they hold up no others.
        .orderBy((row) => row.case().when('kind', '=', FIRED).then(1).else(0).end())
        .orderBy('at')
        .limit(AT_ONCE)
      const rows = await due.execute()
      const { single, digests } = await gatherAlerts(options, rows)
      const settled =
        (await settleAll(options, single, () => isStopped)) + (await settleDigests(options, digests))
      if (rows.length > 0) messageWriter.send()
      isAgain ||= rows.length === AT_ONCE && settled > 0
    } while (isAgain && !isStopped)
  }
  const wake = () => {
    isAgain = true
    if (isStopped) return
    working ??= work()
      .catch((error: unknown) => isStopped || onError(error, 'writing mails of notices'))
      .then(() => void (working = null))
  }
  const polling = setInterval(wake, POLL_MS)
  wake()
  return {
    wake,
    stop: async () => {
      isStopped = true
      clearInterval(polling)
      await working
    },
  }
}

/** A failed mail does not hold up the others. Returns how many were settled. */
async function settleAll(
  options: NoticeMailOptions,
  rows: readonly NoticeTable[],
  isStopped: () => boolean,
): Promise<number> {
  let settled = 0
  for (const row of rows) {
    if (isStopped()) return settled
    try {
      await settle(options, row)
      settled += 1
    } catch (error) {
      options.onError(error, 'writing the mail of a notice')
    }
  }
  return settled
}

/** Fired alerts that a user is mailed and pushed one by one within a minute; further ones come in a digest. */
const SINGLE_ALERTS = 5
const MINUTE_MS = 60_000
const FIRED = NOTICE_KINDS.alertFired

type Due = { readonly single: readonly NoticeTable[]; readonly digests: readonly (readonly NoticeTable[])[] }

/**
 * Which due notices are sent by themselves, and which fired alerts of a user together: where more than five have fired
 * within a minute, those not sent yet wait until a minute after the first of them, and go in one digest.
 */
async function gatherAlerts(options: NoticeMailOptions, rows: readonly NoticeTable[]): Promise<Due> {
  const isAlert = ({ kind, mail }: NoticeTable) => kind === FIRED && mail === 'due'
  const single = rows.filter((row) => !isAlert(row))
  const digests: (readonly NoticeTable[])[] = []
  for (const ofUser of Map.groupBy(rows.filter(isAlert), (row) => row.user_id).values()) {
    const [first] = ofUser
    if (!first) continue
    const within = ofUser.filter(({ at }) => at < first.at + BigInt(MINUTE_MS))
    if (!(await isInBurst(options, first))) single.push(...within)
    else if (options.marketNow() >= Number(first.at) + MINUTE_MS) {
      if (within.length > 1) digests.push(within)
      else single.push(first)
    }
  }
  return { single, digests }
}

/** True when `first` and what came within a minute of it are in a minute in which more than five alerts of the user fired. */
async function isInBurst({ queries }: NoticeMailOptions, first: NoticeTable): Promise<boolean> {
  const rows = await queries
    .selectFrom('notice')
    .select('at')
    .where('user_id', '=', first.user_id)
    .where('kind', '=', FIRED)
    .where('at', '>', first.at - BigInt(MINUTE_MS))
    .where('at', '<', first.at + BigInt(MINUTE_MS))
    .orderBy('at')
    .execute()
  return rows.some(({ at }, index) => {
    const sixth = rows[index + SINGLE_ALERTS]
    return sixth !== undefined && sixth.at >= first.at && sixth.at - at < BigInt(MINUTE_MS)
  })
}

async function settleDigests(
  options: NoticeMailOptions,
  digests: readonly (readonly NoticeTable[])[],
): Promise<number> {
  let settled = 0
  for (const rows of digests) {
    try {
      await settleDigest(options, rows)
      settled += rows.length
    } catch (error) {
      options.onError(error, 'writing the digest of fired alerts')
    }
  }
  return settled
}

/** One mail and one push of several fired alerts; they and the new state of all their notices are one transaction. */
async function settleDigest(options: NoticeMailOptions, rows: readonly NoticeTable[]): Promise<void> {
  const { queries, contactOf, messageWriter, outbox, codeOf, now } = options
  const [first] = rows
  if (!first) return
  const userId = Number(first.user_id)
  const facts = rows.map(factOfRow)
  const off = await switchedOff(queries, userId)
  const fact = factOfRow(first)
  const contact = (await isMailWanted(options, first, fact, off)) ? await contactOf(userId) : null
  const known = { orders: new Map(), codeOf }
  const textOf = (translate: Translate) => digestIn(translate, facts, known)
  const pushes = off.has('alerts.push')
    ? []
    : await pushesOf(
        queries,
        { noticeId: first.id, userId, fact, textOf, subjects: () => Promise.resolve(known) },
        now(),
      )
  await queries.transaction().execute(async (within) => {
    const marked = await within
      .updateTable('notice')
      .set({ mail: 'none' })
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .where('mail', '=', 'due')
      .executeTakeFirst()
    if (marked.numUpdatedRows !== BigInt(rows.length))
      throw new Error('a notice of a digest was settled meanwhile')
    if (contact) {
      await within
        .updateTable('notice')
        .set({ mail: 'written', mailed_at: BigInt(Math.floor(now())) })
        .where('id', '=', first.id)
        .execute()
      const values = textOf(translatorFor(languageOf(contact.language)))
      await messageWriter.write('notice', contact, values, within as Transaction<Tables>)
    }
    for (const push of pushes) await outbox.add(push, within as Transaction<Tables>)
  })
}

async function settle(options: NoticeMailOptions, row: NoticeTable): Promise<void> {
  const { queries, contactOf, messageWriter, outbox, ordersOf, codeOf, now } = options
  const fact = factOfRow(row)
  const userId = Number(row.user_id)
  const off = await switchedOff(queries, userId)
  const contact = (await isMailWanted(options, row, fact, off)) ? await contactOf(userId) : null
  const mail = contact && (await mailOf(options, userId, fact, contact))
  const subjects = async () => ({
    orders: await ordersOf(userId, 'orderId' in fact ? [fact.orderId] : []),
    codeOf,
  })
  const pushes =
    row.mail === 'instead' || off.has(`${GROUP_OF[fact.kind]}.push`)
      ? []
      : await pushesOf(queries, { noticeId: row.id, userId, fact, subjects }, now())
  await queries.transaction().execute(async (within) => {
    const marked = await within
      .updateTable('notice')
      .set(mail ? { mail: 'written', mailed_at: BigInt(Math.floor(now())) } : { mail: 'none' })
      .where('id', '=', row.id)
      .where('mail', '=', row.mail)
      .executeTakeFirst()
    if (marked.numUpdatedRows !== 1n) return
    if (mail) await messageWriter.write(mail.name, contact, mail.values, within as Transaction<Tables>)
    for (const push of pushes) await outbox.add(push, within as Transaction<Tables>)
  })
}

/** Whether the user wants the mail, or needs it because a push has failed, and the hourly limit is not reached. */
async function isMailWanted(
  { queries, now }: NoticeMailOptions,
  { user_id, mail }: NoticeTable,
  fact: NoticeFact,
  off: ReadonlySet<string>,
): Promise<boolean> {
  const group = GROUP_OF[fact.kind]
  if (!isMailed(fact) || (mail === 'due' && off.has(`${group}.mail`))) return false
  const limit = MAILS_PER_HOUR[group]
  if (limit === Infinity) return true
  const { count } = await queries
    .selectFrom('notice')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('user_id', '=', user_id)
    .where('kind', 'in', storedKindsOf([group]))
    .where('mailed_at', '>', BigInt(Math.floor(now() - HOUR_MS)))
    .executeTakeFirstOrThrow()
  return Number(count) < limit
}

type Mail = { readonly name: MessageName; readonly values: Readonly<Record<string, string>> }

/** Money cases and identity checks have mails of their own; other mails repeat the notice. */
async function mailOf(
  { queries, ordersOf, codeOf, currency }: NoticeMailOptions,
  userId: number,
  fact: NoticeFact,
  { language }: Addressee,
): Promise<Mail> {
  const name = caseMail(fact)
  const translate = translatorFor(languageOf(language))
  if (name && 'caseId' in fact) {
    const isUncredited = fact.kind === 'depositEnded' && fact.outcome !== 'finished'
    const shown: Amount = 'amount' in fact && !isUncredited ? fact : await amountOf(queries, fact.caseId)
    const isInSentCurrency = fact.kind === 'depositReported' || isUncredited
    const reason = 'reason' in fact ? fact.reason : ''
    return {
      name,
      values: {
        number: String(fact.caseId),
        amount: isInSentCurrency
          ? `${grouped(shown.amount)} ${shown.currency ?? ''}`.trim()
          : grouped(shown.amount),
        reason,
        currency: currency(),
        ...(fact.kind === 'depositEnded' && creditTexts(fact)),
      },
    }
  }
  if (fact.kind === 'identityRejected')
    return { name: fact.kind, values: { faults: faultLines(translate, fact.faults) } }
  if (fact.kind === 'identityUnverified') return { name: fact.kind, values: { reason: fact.reason } }
  if (fact.kind === 'identityVerified') return { name: fact.kind, values: {} }
  const orders = await ordersOf(userId, 'orderId' in fact ? [fact.orderId] : [])
  return { name: 'notice', values: noticeIn(translate, fact, { orders, codeOf }) }
}

type Amount = { readonly amount: string; readonly currency?: string }

/** The amount of a case; for a deposit, in the currency that was sent. */
async function amountOf(queries: Queries, caseId: number): Promise<Amount> {
  const row = queries.selectFrom('money_case').select(['amount', 'sent']).where('id', '=', BigInt(caseId))
  const { amount = 0n, sent = null } = (await row.executeTakeFirst()) ?? {}
  if (sent === null) return { amount: decimalText(fromUnits(amount, MONEY_DECIMALS), 2) }
  const { amount: units, currency } = sentCodec.read(JSON.parse(sent))
  return { amount: decimalText(fromUnits(units, SENT_DECIMALS), 2), currency }
}

const DEPOSIT_ENDS = {
  finished: 'depositFinished',
  rejected: 'depositRejected',
  invalid: 'depositInvalid',
} as const
const WITHDRAWAL_ENDS = { paid: 'withdrawalPaid', rejected: 'withdrawalRejected' } as const

/** The mail of a step of a money case. Mails are stored under their names, too: these are the ones of the notices. */
function caseMail(fact: NoticeFact): MessageName | null {
  if (fact.kind === 'depositEnded') return DEPOSIT_ENDS[fact.outcome]
  if (fact.kind === 'withdrawalEnded') return WITHDRAWAL_ENDS[fact.outcome]
  return 'caseId' in fact ? NOTICE_KINDS[fact.kind] : null
}
