import { createKeyedMutex } from '../../platform/concurrency.ts'
import { type CaseNotice, NOTE_LENGTH, type UserNote } from '@fairlot/contract/desk'
import type { CloseGround, Money, OpenStatus, Outcome, Request } from '@fairlot/core'
import type { Transaction } from 'kysely'
import type { RequestedApproval } from '../../desk/approvals/approvals.ts'
import { textsForUser } from '../../desk/approvals/user-texts.ts'
import type { AuditEntry } from '../../desk/audit-log/audit-log.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'
import { readEngine } from '../../engine/calls.ts'
import { noticeIn } from '../../notices/notice-text.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { createSecondFactor } from '../../platform/security/second-factor.ts'
import { createRegisteredUsers } from '../users.ts'
import { noteView } from './user-queries.ts'

/** The user concerned, and the reason, which they can read. */
type UserAction = { readonly id: number; readonly reason: string }

/** The audit entry of an action on a user. */
const entryAbout = (
  operator: DeskOperator,
  act: AuditEntry['act'],
  { id, reason }: UserAction,
): AuditEntry & { readonly reason: string } => ({
  operator,
  act,
  subject: `person:${id}`,
  accountId: id,
  reason,
})

/** `before`: the status that the form showed. */
type StatusChange = UserAction & { readonly before: OpenStatus; readonly status: OpenStatus }

/**
 * A freeze that a second operator has to confirm: one in force, which lapses otherwise; or one that a single operator
 * cannot make again so soon, of an account that has the status `before` until then.
 */
type Freeze = { readonly id: number; readonly reason: string; readonly before?: OpenStatus }

const FREEZE = 'freeze'

/**
 * Restricts an account, or lifts a restriction. A form with an outdated status is refused. A freeze takes effect at
 * once and lapses after 72 hours unless a second operator confirms it. Within 30 days of its end another one takes
 * effect once a second operator confirms it.
 */
export function createSetStatus({
  deployment: { engine },
  engineCommands,
  approvals,
  queries,
}: DeskServices) {
  const withLock = createKeyedMutex()

  approvals.register(FREEZE, {
    name: 'Freezes to confirm',
    signsOf: () => [{ weight: 2, why: 'a freeze by one operator ends after 72 hours' }],
    textsOf: (body, reason) => freezeTexts(body as Freeze, reason),
    execute: async (body, approved) => {
      const { id, reason, before } = body as Freeze
      const isCurrent = await readEngine(engine, ({ freezes, accounts }) =>
        before === undefined ? freezes.has(id) : accounts.get(id)?.status === before,
      )
      if (isRefusal(isCurrent)) return isCurrent
      if (!isCurrent) return refuse('formOutdated')
      const done = await engineCommands.execute(
        {
          ...approved,
          ...entryAbout(approved.operator, 'restrictPerson', { id, reason }),
          ...changeOf(before),
        },
        { type: 'setAccountStatus', accountId: id, status: 'frozen' },
      )
      return isRefusal(done) ? done : null
    },
  })

  const freezeTexts = ({ id, before }: Freeze, reason: string): Promise<CaseNotice[]> =>
    textsForUser(queries, id, (translate) => [
      {
        when: before === undefined ? 'now' : 'approved',
        text: noticeIn(
          translate,
          {
            kind: 'accountStatus',
            status: 'frozen',
            role: 'compliance',
            reason,
            ...(before === undefined && { alone: 'yes' as const }),
          },
          { orders: new Map(), codeOf: () => '' },
        ).text,
      },
    ])

  /** Requests confirmation of a freeze, unless it is already requested. `before`: where it is not in force yet. */
  const requestConfirmation = async (
    operator: DeskOperator,
    { id, reason }: UserAction,
    before?: OpenStatus,
  ): Promise<RequestedApproval | Refusal> => {
    const subject = `person:${id}`
    if (await isRequested(queries, subject, before)) return refuse('formOutdated')
    return approvals.request(operator, {
      kind: FREEZE,
      subject,
      body: { id, reason, ...(before && { before }) },
      accountId: id,
      reason,
      ...changeOf(before),
    })
  }

  const set = async (operator: DeskOperator, change: StatusChange) => {
    const { id, before, status, reason } = change
    const now = await readEngine(engine, (state) => {
      const account = state.accounts.get(id)
      return account
        ? { status: account.status, reason: account.statusReason, lapses: state.freezes.has(id) }
        : refuse('accountNotFound')
    })
    if (isRefusal(now)) return now
    if (now.status !== before) return refuse('formOutdated')
    // A freeze whose confirmation was refused or failed can be put up for confirmation again.
    if (before === status) {
      const requested =
        status === 'frozen' && now.lapses
          ? await requestConfirmation(operator, change)
          : refuse('formOutdated')
      return isRefusal(requested) ? requested : { status, approvalId: null }
    }
    const done = await engineCommands.execute(
      {
        ...entryAbout(operator, 'restrictPerson', { id, reason }),
        before: { status: now.status, reason: now.reason },
        after: { status },
      },
      { type: 'setAccountStatus', accountId: id, status },
    )
    if (isRefusal(done) && status === 'frozen' && done.rejected === 'secondOperatorNeeded') {
      const requested = await requestConfirmation(operator, change, before)
      return isRefusal(requested) ? requested : { status: before, ...requested }
    }
    if (isRefusal(done)) return done
    // The freeze is in force even if this request fails; it can be made again.
    if (status === 'frozen') await requestConfirmation(operator, change)
    return { status, approvalId: null }
  }

  return (operator: DeskOperator, change: StatusChange) =>
    withLock(String(change.id), () => set(operator, change))
}

/** Whether such a freeze waits already. The confirmation of an earlier one, which is over, does not count. */
async function isRequested(
  queries: Queries,
  subject: string,
  before: OpenStatus | undefined,
): Promise<boolean> {
  const waiting = await queries
    .selectFrom('approval')
    .select('body')
    .where('kind', '=', FREEZE)
    .where('status', '=', 'waiting')
    .where('subject', '=', subject)
    .execute()
  return waiting.some(({ body }) => (JSON.parse(body) as Freeze).before === before)
}

/** What a second operator decides. */
const changeOf = (before: OpenStatus | undefined) => ({
  before: before === undefined ? { status: 'frozen', freeze: 'lapses after 72 hours' } : { status: before },
  after: { status: 'frozen', freeze: 'until it is lifted' },
})

type Close = UserAction & { readonly orderId: number; readonly ground: CloseGround }

/** Closes a position on its owner's behalf, at the price of the approval. Needs two operators and a published ground. */
export function createCloseRequests({
  deployment: { engine },
  engineCommands,
  approvals,
  queries,
}: DeskServices) {
  approvals.register('closeOrder', {
    name: 'Positions to close',
    signsOf: () => [{ weight: 3, why: "a position is closed in its owner's stead" }],
    textsOf: (body, reason) => closedTexts(body as Close, reason),
    execute: async (body, approved) => {
      const { id, orderId, ground } = body as Close
      const done = await engineCommands.execute(
        {
          ...approved,
          act: 'closeOrder',
          accountId: id,
          subject: `order:${orderId}`,
          after: { ground },
        },
        { type: 'closeByOperator', accountId: id, orderId, ground },
      )
      return isRefusal(done) ? done : null
    },
  })

  const closedTexts = ({ id, ground }: Close, reason: string): Promise<CaseNotice[]> =>
    textsForUser(queries, id, (translate) => [
      { when: 'approved', text: `${translate(`closeGround.${ground}`)} ${reason}` },
    ])

  /** The refusal if a position cannot be closed; null if it can. */
  const checkPosition = async ({ id, orderId }: Close): Promise<Refusal | null> => {
    const order = await readEngine(engine, ({ accounts }) => accounts.get(id)?.orders.get(orderId) ?? null)
    if (order !== null && isRefusal(order)) return order
    if (!order) return refuse('orderNotFound', { orderId })
    return order.status === 'holding' ? null : refuse('orderNotHolding', { orderId })
  }

  return async (operator: DeskOperator, close: Close): Promise<{ approvalId: number } | Refusal> => {
    const refusal = await checkPosition(close)
    if (refusal) return refusal
    const { id, orderId, ground, reason } = close
    const subject = `order:${orderId}`
    if ((await approvals.waitingFor('closeOrder', [subject])).size > 0) return refuse('formOutdated')
    return approvals.request(operator, {
      kind: 'closeOrder',
      subject,
      body: { id, orderId, ground, reason },
      accountId: id,
      reason,
      before: { trading: 'position open' },
      after: { trading: 'position closed', ground },
    })
  }
}

/** `before`: the score that the form showed. */
type NewScore = UserAction & { readonly before: number; readonly score: number }

/** Sets credit scores and requests adjustments. */
export const createUserAccount = ({ auditLog, engineCommands, deployment }: DeskServices) => ({
  setCreditScore: (operator: DeskOperator, { id, before, score, reason }: NewScore) => {
    const entry = {
      ...entryAbout(operator, 'setCreditScore', { id, reason }),
      before: { creditScore: before },
      after: { creditScore: score },
    }
    return auditLog.perform(entry, async (within) => {
      const changed = await within
        .updateTable('app_user')
        .set({ credit_score: BigInt(score) })
        .where('id', '=', BigInt(id))
        .where('credit_score', '=', BigInt(before))
        .executeTakeFirst()
      return changed.numUpdatedRows === 1n ? { score } : refuse('formOutdated')
    })
  },

  /** Opens a case, which another call decides and books. A repeated request returns the same case. */
  requestAdjustment: async (
    operator: DeskOperator,
    { id, amount, reason }: UserAction & { readonly amount: Money },
    request?: Request,
  ) => {
    const entry = { ...entryAbout(operator, 'askAdjustment', { id, reason }), after: { amount } }
    // Without a second operator nobody could approve it.
    if (!deployment.engine.state().hasSecondOperator) {
      const refusal = refuse('secondOperatorNeeded')
      await auditLog.recordRefusal(entry, refusal)
      return refusal
    }
    const done = await engineCommands.execute(
      entry,
      { type: 'askAdjustment', accountId: id, amount },
      request,
    )
    return isRefusal(done) ? done : { caseId: caseOf(done) }
  },
})

function caseOf({ entry }: Outcome): number {
  const opened = entry.events.find(({ type }) => type === 'adjustmentAsked')
  if (opened?.type !== 'adjustmentAsked')
    throw new Error('an adjustment was requested, but no case was opened')
  return opened.caseId
}

/** Ends a user's sessions, and resets their second factor. */
export function createUserAccess({ queries, auditLog, shared, notices, now, deployment }: DeskServices) {
  const { sessions, messageWriter } = shared
  const users = createRegisteredUsers(queries)
  const secondFactor = createSecondFactor(queries, deployment.vault, now)
  const isKnown = async (id: number) => {
    const row = await queries
      .selectFrom('app_user')
      .select('id')
      .where('id', '=', BigInt(id))
      .executeTakeFirst()
    return row !== undefined
  }

  return {
    logOut: async (operator: DeskOperator, { id, reason }: UserAction) => {
      if (!(await isKnown(id))) return refuse('accountNotFound')
      const { length: ended } = await sessions.list(id, null)
      const entry = {
        ...entryAbout(operator, 'logPersonOut', { id, reason }),
        after: { endedSessions: ended },
      }
      const end = await auditLog.perform(entry, (within) => sessions.endAllWithin(id, within))
      if (isRefusal(end)) return end
      await end()
      return { ended }
    },

    resetSecondFactor: async (operator: DeskOperator, { id, reason }: UserAction) => {
      const reset = { kind: 'secondFactorReset', reason: reason.trim() } as const
      const registered = await users.byId(id)
      if (!registered || !(await secondFactor.status(id)).isOn) return refuse('secondFactorOff')
      const { length: ended } = await sessions.list(id, null)
      const entry = {
        ...entryAbout(operator, 'resetPersonSecondFactor', { id, reason }),
        before: { secondFactor: 'on' },
        after: { secondFactor: 'off', endedSessions: ended },
      }
      const end = await auditLog.perform(entry, async (within) => {
        await secondFactor.reset(id, within)
        await messageWriter.write(
          'secondFactorReset',
          registered.addressee,
          { reason: reason.trim() },
          within,
        )
        await notices.write(within, id, reset)
        return sessions.endAllWithin(id, within)
      })
      if (isRefusal(end)) return end
      await end()
      messageWriter.send()
      notices.publish(id, reset)
      return { ended }
    },
  }
}

type NewNote = { readonly id: number; readonly text: string }

/** Adds an operator's note about a user. */
export const createAddNote =
  ({ auditLog, now }: DeskServices) =>
  (operator: DeskOperator, note: NewNote): Promise<{ note: UserNote } | Refusal> | Refusal => {
    const refusal = refusalOfNote(note.text)
    if (refusal) return refusal
    const { id } = note
    const entry = { operator, act: 'notePerson', subject: `person:${id}`, accountId: id } as const
    return auditLog.performWithoutReason(entry, (within) => insert(within, operator, note, now()))
  }

const refusalOfNote = (text: string): Refusal | null => {
  if (text.trim() === '') return refuse('noteBlank', { field: 'text' })
  return text.length > NOTE_LENGTH
    ? refuse('noteTooLong', { field: 'text', maximumLength: NOTE_LENGTH })
    : null
}

async function insert(
  within: Transaction<Tables>,
  operator: DeskOperator,
  { id, text }: NewNote,
  at: number,
): Promise<{ note: UserNote } | Refusal> {
  const known = await within
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', BigInt(id))
    .executeTakeFirst()
  if (!known) return refuse('accountNotFound')
  const { last } = await within
    .selectFrom('person_note')
    .select((select) => select.fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  const row = {
    id: ((last as bigint | null) ?? 0n) + 1n,
    account_id: BigInt(id),
    at: BigInt(Math.floor(at)),
    operator_id: BigInt(operator.id),
    operator_name: operator.name,
    role: operator.role,
    text: text.trim(),
  }
  await within.insertInto('person_note').values(row).execute()
  return { note: noteView(row) }
}
