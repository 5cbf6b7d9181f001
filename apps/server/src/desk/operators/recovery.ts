/**
 * A log-in for an operator when two operators cannot approve one, because one of two has lost theirs or only one is
 * left. `npm run recover` on the server announces it, and it is published at once. Any operator may cancel it. After 72
 * hours its two keys are valid once. Everything is journaled, the keys as a hash.
 */
import type { OperatorRole, Recovery } from '@fairlot/contract/desk'
import { DEPLOYMENT, isRecoveryOpen, RECOVERY_NOTICE_MS, type RecoveryAnnounced } from '@fairlot/core'
import type { Queries } from '../../platform/database/open.ts'
import type { Deployment } from '../../deployment/deployment.ts'
import { newRequest } from '../../engine/follow-ups.ts'
import { secretHash } from '../../platform/security/secrets.ts'
import { removePasskeys } from '../../platform/security/passkeys.ts'
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import { resultOf } from '../../engine/calls.ts'
import { refusalOfReason } from '../audit-log/audit-log.ts'
import type { DeskServices } from '../desk-services.ts'
import {
  addOperator,
  changeOperatorRow,
  confirmationHash,
  type DeskOperator,
  findOperator,
  findOperatorByName,
  newConfirmation,
  newInvitation,
  nextOperatorId,
  NO_KEYS,
  voidKeysOf,
} from './operators.ts'
import { isOperatorName } from './operator-changes.ts'

/** One digest of both keys: neither key alone matches it. */
const digestOf = (invitationHash: string, confirmation: string): string =>
  secretHash(`${invitationHash} ${confirmation}`)

/** The operator to recover. `role`: of a new operator; null for an existing one. */
export type RecoveryRequest = {
  readonly name: string
  readonly role: OperatorRole | null
  readonly reason: string
}

/** The keys, shown once to the administrator of the server, and when they become valid (epoch ms). */
export type RecoveryKeys = {
  readonly invitation: string
  readonly confirmation: string
  readonly isNew: boolean
  readonly effectiveAt: number
}

/** Journals a recovery on behalf of the deployment. Throws an Error that says what is wrong with the request. */
export async function announceRecovery(
  { engine, database: { queries } }: Pick<Deployment, 'engine' | 'database'>,
  request: RecoveryRequest,
): Promise<RecoveryKeys> {
  const name = request.name.trim()
  const reason = request.reason.trim()
  if (refusalOfReason(reason))
    throw new Error('--reason is required, in at most 500 characters. It is public.')
  const row = await findOperatorByName(queries, name)
  if (!row && !isOperatorName(name))
    throw new Error('--operator must be a name of 2 to 40 letters and digits.')
  if (!row && request.role === null)
    throw new Error(`There is no operator ${name}: give --role for a new one.`)
  if (row && request.role !== null && request.role !== row.role)
    throw new Error(`${name} has the role ${row.role}, which a recovery does not change: leave --role out.`)
  const [invitation, confirmation] = [newInvitation(), newConfirmation()]
  const done = await resultOf(engine, {
    type: 'announceRecovery',
    operatorId: row?.id ?? null,
    name: row?.name ?? name,
    role: row?.role ?? request.role ?? 'support',
    reason,
    digest: digestOf(invitation.hash, confirmation.hash),
    by: DEPLOYMENT,
  })
  if (isRefusal(done))
    throw new Error(
      done.rejected === 'operatorNotEntitled'
        ? 'The journal has no operators yet: start the server once first.'
        : `The engine rejected the recovery: ${done.rejected}.`,
    )
  const [event] = done.events
  const effectiveAt = event?.type === 'recoveryAnnounced' ? event.effectiveAt : 0
  return { invitation: invitation.shown, confirmation: confirmation.shown, isNew: !row, effectiveAt }
}

/** A recovery as shown to operators; null once its keys can no longer be used. `at`: epoch ms on the engine's clock. */
export const shownRecovery = (recovery: RecoveryAnnounced | null, at: number): Recovery | null =>
  recovery !== null && at < recovery.effectiveAt + RECOVERY_NOTICE_MS
    ? {
        name: recovery.name,
        role: recovery.role,
        isNew: recovery.operatorId === null,
        effectiveAt: recovery.effectiveAt,
        reason: recovery.reason,
      }
    : null

const USED = 'recoveryUsed'
/** `loggedInFrom`: left out by earlier releases. */
type Used = DeskOperator & {
  readonly isNew: boolean
  readonly passwordHash: string
  readonly loggedInFrom?: object
}

/** Joining with the keys of a recovery, and cancelling it. */
export function createRecovery(services: DeskServices) {
  const { deployment, queries, auditLog, engineCommands, followUps, sessions, hub, now } = services
  const { engine, market } = deployment

  followUps.register(USED, async (body, _decided, done) => {
    const { isNew, passwordHash, loggedInFrom, ...operator } = body as Used
    await auditLog.record(
      {
        operator,
        act: 'ownAccess',
        subject: `operator:${operator.id}`,
        reason: 'joined by the keys of a recovery',
        after: { joined: true, ...(loggedInFrom && { loggedInFrom }) },
      },
      null,
      async (within) => {
        if (!(await done(within))) return false
        if (isNew) await addOperator(within, { ...rowOf(operator), password_hash: passwordHash }, now())
        else await renewLogIn(within, operator.id, passwordHash)
        return true
      },
    )
  })

  return {
    /** The recovery in effect that these keys belong to; null for none. */
    find: (invitationHash: string, confirmation: string): RecoveryAnnounced | null => {
      const { recovery } = engine.state()
      const isOpen = recovery !== null && isRecoveryOpen(recovery, market.now())
      return isOpen && recovery.digest === digestOf(invitationHash, confirmationHash(confirmation))
        ? recovery
        : null
    },

    /** Returns the id of the operator, whose earlier sessions have ended. */
    join: async (
      recovery: RecoveryAnnounced,
      passwordHash: string,
      loggedInFrom: object,
    ): Promise<number | Refusal> => {
      const { operatorId, name } = recovery
      const row = operatorId === null ? null : await findOperator(queries, operatorId)
      if (operatorId === null && (await findOperatorByName(queries, name)))
        return refuse('operatorNameTaken', { field: 'name' })
      const id = operatorId ?? (await nextOperatorId(queries))
      const role = row?.role ?? recovery.role
      const done = await followUps.execute({
        kind: USED,
        body: { id, name, role, isNew: row === null, passwordHash, loggedInFrom } satisfies Used,
        request: newRequest(0, 'desk.recovery'),
        command: { type: 'useRecovery', operatorId: id, by: DEPLOYMENT },
        mustFollow: true,
      })
      if (isRefusal(done)) return done.rejected === 'recoveryNotOpen' ? refuse('invitationInvalid') : done
      await sessions.endAll(id)
      hub.changed('operators')
      return id
    },

    cancel: async (operator: DeskOperator, reason: string): Promise<Refusal | null> => {
      const { recovery } = engine.state()
      const done = await engineCommands.execute(
        {
          operator,
          act: 'callOffRecovery',
          subject: 'recovery',
          reason,
          before: recovery && { name: recovery.name, role: recovery.role, reason: recovery.reason },
          after: { status: 'called off' },
        },
        { type: 'callOffRecovery' },
      )
      hub.changed('operators')
      return isRefusal(done) ? done : null
    },
  }
}

export type RecoveryService = ReturnType<typeof createRecovery>

const rowOf = ({ id, name, role }: DeskOperator) => ({ id: BigInt(id), name, role })

/**
 * Sets the new password. The second factor is set up again at the first log-in. As after a reset, keys that may have been
 * given with the lost log-in are void.
 */
async function renewLogIn(within: Queries, id: number, passwordHash: string): Promise<void> {
  await changeOperatorRow(within, id, {
    password_hash: passwordHash,
    is_on: 1n,
    totp_secret: null,
    totp_confirmed_at: null,
    totp_last_step: 0n,
    ...NO_KEYS,
  })
  await voidKeysOf(within, id)
  await within.deleteFrom('operator_recovery_code').where('operator_id', '=', BigInt(id)).execute()
  await removePasskeys({ kind: 'operator', id }, within)
}
