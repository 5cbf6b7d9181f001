import type { DeskKeys, DeskOutcome, OperatorRole } from '@fairlot/contract/desk'
import type { Request } from '@fairlot/core'
import type { Transaction } from 'kysely'
import { createMutex } from '../../platform/concurrency.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { removePasskeys } from '../../platform/security/passkeys.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import type { ApprovalRequest, Approved } from '../approvals/approvals.ts'
import type { AuditEntry } from '../audit-log/audit-log.ts'
import type { DeskServices } from '../desk-services.ts'
import { releaseCases } from '../waiting/case-assignments.ts'
import {
  addOperator,
  canAdminister,
  changeOperatorRow,
  type Confirmations,
  type DeskOperator,
  findOperator,
  findOperatorByName,
  keyColumns,
  type KeyColumns,
  listOperatorRows,
  newConfirmation,
  newInvitation,
  nextOperatorId,
  type OperatorRow,
  voidKeysOf,
} from './operators.ts'

/** Names appear in lists and in the audit log, so they have plain characters only. */
const NAME = /^\p{L}[\p{L}\p{N} .-]{1,39}$/u

export const isOperatorName = (name: string): boolean => NAME.test(name)

type WithReason<T> = T & { readonly reason: string }

/** Who requests keys, and the change to make at once in single-operator mode, which returns the confirmation key. */
type KeyRequest = {
  readonly operator: DeskOperator
  readonly alone: (by: OperatorEntry, invitationHash: string) => Promise<string | Refusal>
}

type ById = { readonly id: number }

/**
 * Changes of operators and their roles. They need two operators, and a log-in needs two keys of which each of them sees
 * one, so that nobody can give a role to themselves, to an accomplice or to a second name of their own.
 */
export function createOperatorChanges(services: DeskServices) {
  const { queries, approvals, auditLog, deployment } = services
  /** One operator may invite alone until a second one who may decide has joined. The mode never returns. */
  const isSingleOperator = () => !deployment.engine.state().hasSecondOperator
  const effects = createOperatorEffects(services)
  registerOperatorApprovals(services, effects)
  const act = 'changeOperators' as const

  /** Creates the invitation key and requests approval. In single-operator mode it makes the change and returns both keys. */
  const requestKeys = async (
    change: Omit<ApprovalRequest, 'body'> & { body: object },
    { operator, alone }: KeyRequest,
  ) => {
    const known = await approvals.repeated(change.request)
    // The key was only shown in the first answer.
    if (known) return isRefusal(known) ? known : { ...known, invitation: null, confirmation: null }
    const { shown: invitation, hash: invitationHash } = newInvitation()
    if (isSingleOperator()) {
      const { subject, reason } = change
      const done = await alone({ operator, act, subject, reason, isSingleOperator: true }, invitationHash)
      return isRefusal(done) ? done : { approvalId: null, invitation, confirmation: done }
    }
    const opened = await approvals.request(operator, { ...change, body: { ...change.body, invitationHash } })
    return isRefusal(opened) ? opened : { ...opened, invitation, confirmation: null }
  }

  return {
    invite: async (
      operator: DeskOperator,
      { name: typed, role, reason }: WithReason<Invitation>,
      request?: Request,
    ): Promise<DeskKeys | Refusal> => {
      const body = { name: typed.trim(), role }
      const { name } = body
      if (!isOperatorName(name)) return refuse('operatorNameInvalid', { field: 'name' })
      if (await findOperatorByName(queries, name)) return refuse('operatorNameTaken', { field: 'name' })
      return requestKeys(
        { kind: 'inviteOperator', subject: 'operator:new', body, after: body, reason, request },
        { operator, alone: (by, hash) => effects.add(by, body, hash) },
      )
    },

    /** Renews a lost or expired invitation. It needs two operators: one alone could log in as its recipient. */
    renew: async (
      operator: DeskOperator,
      { id, reason }: WithReason<ById>,
      request?: Request,
    ): Promise<DeskKeys | Refusal> => {
      const row = await findOperator(queries, id)
      if (row?.password_hash !== null) return refuse(row ? 'operatorJoined' : 'operatorUnknown')
      const subject = `operator:${id}`
      const renewal = { kind: 'renewInvitation', subject, body: { id }, reason, request } as const
      return requestKeys(
        { ...renewal, after: { invitation: 'renewed' } },
        { operator, alone: (by, hash) => effects.renew(by, id, hash) },
      )
    },

    /** Resets a lost password or second factor, never one's own: an unattended page must not be enough to take over. */
    reset: async (
      operator: DeskOperator,
      { id, reason }: WithReason<ById>,
      request?: Request,
    ): Promise<DeskKeys | Refusal> => {
      if (id === operator.id) {
        const refusal = refuse('ownReset')
        await auditLog.recordRefusal({ operator, act, subject: `operator:${id}`, reason }, refusal)
        return refusal
      }
      const row = await findOperator(queries, id)
      if (!row) return refuse('operatorUnknown')
      if (row.password_hash === null) return refuse('operatorNotJoined')
      return requestKeys(
        { kind: 'resetOperator', subject: `operator:${id}`, body: { id }, ...resetOf(row), reason, request },
        { operator, alone: (by, hash) => effects.reset(by, id, hash) },
      )
    },

    change: async (
      operator: DeskOperator,
      { reason, ...change }: WithReason<OperatorChange>,
      request?: Request,
    ): Promise<DeskOutcome | Refusal> => {
      const row = await findOperator(queries, change.id)
      if (!row) return refuse('operatorUnknown')
      const { before, after } = differenceOf(row, change)
      const subject = `operator:${change.id}`
      // Switching an operator off removes rights and may be urgent, so one operator may do it.
      const isUrgent = before.isOn && !after.isOn && after.role === before.role
      const isSingle = !isUrgent && isSingleOperator()
      if (isUrgent || isSingle) {
        const by = { operator, act, subject, reason, isSingleOperator: isSingle }
        const done = await effects.change(by, change)
        return isRefusal(done) ? done : { approvalId: null }
      }
      const body = { ...change, before }
      return approvals.request(operator, {
        kind: 'changeOperator',
        subject,
        body,
        before,
        after,
        reason,
        request,
      })
    },
  }
}

type Invitation = { readonly name: string; readonly role: OperatorRole }
type OperatorChange = {
  readonly id: number
  /** Null for unchanged. */
  readonly role: OperatorRole | null
  readonly isOn: boolean | null
}
/** A requested change; `before` is missing in requests from older releases. */
type RequestedChange = OperatorChange & { readonly before?: ReturnType<typeof differenceOf>['before'] }
type OperatorEntry = AuditEntry & {
  readonly reason: string
  /** Done in single-operator mode, which the audit entry states. */
  readonly isSingleOperator?: boolean
}

/** A request with the hash of its invitation key; requests from older releases have none. */
type WithInvitation<T> = T & { readonly invitationHash?: string }

/** Carries out changes of operators that need no further approval. */
export type OperatorEffects = {
  /** Adds an operator. Like the next two, it takes the hash of the invitation key and returns the confirmation key. */
  add(entry: OperatorEntry, invitation: Invitation, invitationHash: string): Promise<string | Refusal>
  /** Creates new keys for an operator who has not joined. */
  renew(entry: OperatorEntry, id: number, invitationHash: string): Promise<string | Refusal>
  /** Deletes an operator's password and second factor and ends their sessions. */
  reset(entry: OperatorEntry, id: number, invitationHash: string): Promise<string | Refusal>
  change(entry: OperatorEntry, change: OperatorChange): Promise<null | Refusal>
}

/** Role and status of an operator before a change and after it. */
function differenceOf(row: OperatorRow, { role, isOn }: OperatorChange) {
  const before = { role: row.role, isOn: row.is_on === 1n }
  return { before, after: { role: role ?? before.role, isOn: isOn ?? before.isOn } }
}

/** An operator's credentials before a reset and after it. */
const resetOf = ({ totp_confirmed_at: factor }: Pick<OperatorRow, 'totp_confirmed_at'>) => ({
  before: { password: 'chosen', secondFactor: factor === null ? 'none' : 'set up' },
  after: { password: 'none', secondFactor: 'none' },
})

const ADDED = 'operatorAdded'
const CHANGED = 'operatorChanged'
type Added = Invitation & { readonly id: number; readonly keys: KeyColumns }
type Changed = { readonly id: number; readonly role: OperatorRole; readonly isOn: boolean }

/** The engine decides roles and status, as its decisions depend on them. Keys and passwords belong to the desk. */
function createOperatorEffects({
  queries,
  auditLog,
  engineCommands,
  sessions,
  hub,
  now,
}: DeskServices): OperatorEffects {
  const withLock = createMutex()
  engineCommands.registerEffect(ADDED, async (within, body) => {
    const { id, name, role, keys } = body as Added
    await addOperator(within, { id: BigInt(id), name, role, ...keys }, now())
  })
  engineCommands.registerEffect(CHANGED, async (within, body) => {
    const { id, role, isOn } = body as Changed
    const before = await findOperator(within, id)
    await changeOperatorRow(within, id, { role, is_on: isOn ? 1n : 0n })
    // Who may not decide any more holds no case, and gives no keys.
    if (isOn && before?.role === role) return
    await releaseCases(within, id)
    await voidKeysOf(within, id)
  })
  const keysBy = ({ operator, second }: OperatorEntry, invitation: string, confirmation: string) =>
    keyColumns({ invitation, confirmation, operator, second }, now())
  return {
    add: (entry, { name, role }, invitationHash) =>
      withLock(async () => {
        if (await findOperatorByName(queries, name)) return refuse('operatorNameTaken', { field: 'name' })
        const confirmation = newConfirmation()
        const keys = keysBy(entry, invitationHash, confirmation.hash)
        const id = await nextOperatorId(queries)
        const added = await engineCommands.execute(
          {
            ...entry,
            after: { name, role, ...modeOf(entry) },
            effect: { name: ADDED, body: { id, name, role, keys } satisfies Added },
          },
          { type: 'setOperator', operatorId: id, role, isActive: true },
        )
        hub.changed('operators')
        return isRefusal(added) ? added : confirmation.shown
      }),
    renew: async (entry, id, invitationHash) => {
      const confirmation = newConfirmation()
      const after = { invitation: 'renewed', ...modeOf(entry) }
      const done = await auditLog.perform({ ...entry, after }, async (within) => {
        const row = await findOperator(within, id)
        if (row?.password_hash !== null) return refuse(row ? 'operatorJoined' : 'operatorUnknown')
        await changeOperatorRow(within, id, keysBy(entry, invitationHash, confirmation.hash))
        return null
      })
      hub.changed('operators')
      return isRefusal(done) ? done : confirmation.shown
    },
    reset: async (entry, id, invitationHash) => {
      const row = await findOperator(queries, id)
      if (!row) return refuse('operatorUnknown')
      const confirmation = newConfirmation()
      const { before, after } = resetOf(row)
      const done = await auditLog.perform(
        { ...entry, before, after: { ...after, ...modeOf(entry) } },
        (within) => clearLogin(within, id, keysBy(entry, invitationHash, confirmation.hash)),
      )
      if (isRefusal(done)) return done
      await sessions.endAll(id)
      hub.changed('operators')
      return confirmation.shown
    },
    change: (entry, change) =>
      withLock(async () => {
        const row = await findOperator(queries, change.id)
        if (!row) return refuse('operatorUnknown')
        const { before, after } = differenceOf(row, change)
        const losesPower = canAdminister(row) && (after.role !== 'administrator' || !after.isOn)
        if (losesPower && !(await hasOtherAdministrator(queries, row.id))) {
          const refusal = refuse('lastAdministrator')
          await auditLog.recordRefusal({ ...entry, before, after }, refusal)
          return refusal
        }
        const done = await engineCommands.execute(
          {
            ...entry,
            before,
            after: { ...after, ...modeOf(entry) },
            effect: { name: CHANGED, body: { id: row.id, ...after } satisfies Changed },
          },
          { type: 'setOperator', operatorId: row.id, role: after.role, isActive: after.isOn },
        )
        if (isRefusal(done)) return done
        // Each call reads the role from the row, so only switching off has to end sessions.
        if (!after.isOn) await sessions.endAll(row.id)
        hub.changed('operators')
        return null
      }),
  }
}

async function clearLogin(
  within: Transaction<Tables>,
  id: number,
  keys: KeyColumns,
): Promise<null | Refusal> {
  const row = await findOperator(within, id)
  if (!row || row.password_hash === null) return refuse('operatorNotJoined')
  if (canAdminister(row) && !(await hasOtherAdministrator(within, id))) return refuse('lastAdministrator')
  await changeOperatorRow(within, id, {
    password_hash: null,
    totp_secret: null,
    totp_confirmed_at: null,
    totp_last_step: 0n,
    ...keys,
  })
  await voidKeysOf(within, id)
  await within.deleteFrom('operator_recovery_code').where('operator_id', '=', BigInt(id)).execute()
  await removePasskeys({ kind: 'operator', id }, within)
  return null
}

const DESK_ONLY = {
  textsOf: () => 'Users are shown nothing: this concerns only the desk.',
}

/** Registers the kinds of approval that change operators. */
function registerOperatorApprovals(
  { approvals, queries, auditLog, confirmations }: DeskServices,
  effects: OperatorEffects,
): void {
  const recordRefusal = async ({ second, caseKey }: Approved, subject: string, refusal: Refusal) => {
    await auditLog.recordRefusal({ operator: second, act: 'decideOperators', subject, caseKey }, refusal)
    return refusal
  }
  approvals.register('inviteOperator', {
    ...DESK_ONLY,
    execute: (body, approved) => {
      const { invitationHash, ...invitation } = body as WithInvitation<Invitation>
      return handOverKey(confirmations, approved, invitationHash, (hash) =>
        effects.add(entryOf(approved, 'operator:new'), invitation, hash),
      )
    },
  })
  approvals.register('renewInvitation', {
    ...DESK_ONLY,
    execute: (body, approved) => {
      const { id, invitationHash } = body as WithInvitation<{ readonly id: number }>
      return handOverKey(confirmations, approved, invitationHash, (hash) =>
        effects.renew(entryOf(approved, `operator:${id}`), id, hash),
      )
    },
  })
  approvals.register('resetOperator', {
    ...DESK_ONLY,
    execute: async (body, approved) => {
      const { id, invitationHash } = body as WithInvitation<{ readonly id: number }>
      if (id === approved.second.id) return recordRefusal(approved, `operator:${id}`, refuse('ownReset'))
      return handOverKey(confirmations, approved, invitationHash, (hash) =>
        effects.reset(entryOf(approved, `operator:${id}`), id, hash),
      )
    },
  })
  approvals.register('changeOperator', {
    ...DESK_ONLY,
    execute: async (body, approved) => {
      const { before, ...change } = body as RequestedChange
      // Nobody may approve their own role.
      if (change.id === approved.second.id)
        return recordRefusal(approved, `operator:${change.id}`, refuse('sameOperator'))
      const row = await findOperator(queries, change.id)
      const now = row && differenceOf(row, change).before
      if (now && before && (now.role !== before.role || now.isOn !== before.isOn))
        return refuse('formOutdated')
      return effects.change(entryOf(approved, `operator:${change.id}`), change)
    },
  })
}

/** Creates the confirmation key and stores it for the operator who approved. */
async function handOverKey(
  confirmations: Confirmations,
  { caseKey }: Approved,
  invitationHash: string | undefined,
  make: (invitationHash: string) => Promise<string | Refusal>,
): Promise<Refusal | null> {
  // A request from an older release, which did not give out the invitation key: nobody has it.
  if (invitationHash === undefined) return refuse('formOutdated')
  const confirmation = await make(invitationHash)
  if (isRefusal(confirmation)) return confirmation
  confirmations.put(caseKey, confirmation)
  return null
}

const modeOf = ({ isSingleOperator }: OperatorEntry) =>
  isSingleOperator ? { mode: 'single-operator mode' } : {}

const entryOf = ({ operator, second, reason, caseKey, approval }: Approved, subject: string) => ({
  operator,
  second,
  reason,
  caseKey,
  approval,
  subject,
  act: 'changeOperators' as const,
})

/** Whether there is another administrator. */
async function hasOtherAdministrator(queries: Queries, id: number): Promise<boolean> {
  const rows = await listOperatorRows(queries)
  return rows.some((row) => row.id !== id && canAdminister(row))
}
