import { mayDo, type OperatorRole } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { Queries } from '../../database/open.ts'
import type { Tables } from '../../database/schema.ts'
import { newSecret, secretHash } from '../../http/login-sessions.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import type { Act } from '../acts/act-log.ts'
import type { Approved } from '../approvals/approvals.ts'
import type { DeskServices } from '../desk-services.ts'
import {
  addOperator,
  canAdminister,
  changeOperatorRow,
  findOperator,
  findOperatorByName,
  listOperatorRows,
  type OperatorRow,
} from './operator-repository.ts'

/** An invitation is good so long, ms. */
const INVITATION_MS = 3 * 86_400_000
/** Whoever was here within this time counts as a second person even when switched off or reset: nobody becomes alone by putting others out. */
const COUNTS_FOR_MS = 30 * 86_400_000

export type Invitation = { readonly name: string; readonly role: OperatorRole }
export type OperatorChange = {
  readonly id: number
  /** Null: stays. */
  readonly role: OperatorRole | null
  readonly isOn: boolean | null
}
/** As it waits for a second person, who is shown what was before; what was asked for by an older release does not say. */
type AskedChange = OperatorChange & { readonly before?: ReturnType<typeof differenceOf>['before'] }
type ActWithReason = Act & { readonly reason: string }

/** What changes among operators, once nobody has to be asked any more. */
export type OperatorEffects = {
  /** Adds somebody and answers the secret of their invitation. */
  add(act: ActWithReason, invitation: Invitation): Promise<string | Refusal>
  /** A new invitation for somebody who has not joined. */
  renew(act: ActWithReason, id: number): Promise<string | Refusal>
  /** Takes password and second factor from somebody, ends their sessions, and answers the secret of a new invitation. */
  reset(act: ActWithReason, id: number): Promise<string | Refusal>
  change(act: ActWithReason, change: OperatorChange): Promise<null | Refusal>
}

/** Role and switch of an operator before a change and after it. */
export function differenceOf(row: OperatorRow, { role, isOn }: OperatorChange) {
  const before = { role: row.role, isOn: row.is_on === 1n }
  return { before, after: { role: role ?? before.role, isOn: isOn ?? before.isOn } }
}

/** What somebody logs in by, before it is taken from them and after it. */
export const resetOf = ({ totp_confirmed_at: factor }: Pick<OperatorRow, 'totp_confirmed_at'>) => ({
  before: { password: 'chosen', secondFactor: factor === null ? 'none' : 'set up' },
  after: { password: 'none', secondFactor: 'none' },
})

export function createOperatorEffects({ queries, acts, sessions, hub, now }: DeskServices): OperatorEffects {
  return {
    add: async (act, { name, role }) => {
      const invitation = newSecret()
      const added = await acts.perform({ ...act, after: { name, role } }, async (within) => {
        if (await findOperatorByName(within, name)) return refuse('operatorNameTaken', { field: 'name' })
        return addOperator(within, { name, role, ...hidden(invitation, now()) }, now())
      })
      hub.changed('operators')
      return isRefusal(added) ? added : invitation
    },
    renew: async (act, id) => {
      const invitation = newSecret()
      const done = await acts.perform({ ...act, after: { invitation: 'renewed' } }, async (within) => {
        const row = await findOperator(within, id)
        if (row?.password_hash !== null) return refuse(row ? 'operatorJoined' : 'operatorUnknown')
        await changeOperatorRow(within, id, hidden(invitation, now()))
        return null
      })
      return isRefusal(done) ? done : invitation
    },
    reset: async (act, id) => {
      const row = await findOperator(queries, id)
      if (!row) return refuse('operatorUnknown')
      const invitation = newSecret()
      const done = await acts.perform({ ...act, ...resetOf(row) }, (within) =>
        forgetLogIn(within, id, hidden(invitation, now())),
      )
      if (isRefusal(done)) return done
      await sessions.endAll(id)
      hub.changed('operators')
      return invitation
    },
    change: async (act, change) => {
      const row = await findOperator(queries, change.id)
      if (!row) return refuse('operatorUnknown')
      const { before, after } = differenceOf(row, change)
      const done = await acts.perform({ ...act, before, after }, async (within) => {
        const losesPower = canAdminister(row) && (after.role !== 'administrator' || !after.isOn)
        if (losesPower && !(await hasOtherAdministrator(within, row.id))) return refuse('lastAdministrator')
        await changeOperatorRow(within, row.id, { role: after.role, is_on: after.isOn ? 1n : 0n })
        return null
      })
      // A role is taken from the row with each call; whoever is switched off is out at once.
      if (!isRefusal(done) && !after.isOn) await sessions.endAll(row.id)
      hub.changed('operators')
      return done
    },
  }
}

async function forgetLogIn(
  within: Transaction<Tables>,
  id: number,
  invitation: ReturnType<typeof hidden>,
): Promise<null | Refusal> {
  const row = await findOperator(within, id)
  if (!row || row.password_hash === null) return refuse('operatorNotJoined')
  if (canAdminister(row) && !(await hasOtherAdministrator(within, id))) return refuse('lastAdministrator')
  await changeOperatorRow(within, id, {
    ...{ password_hash: null, totp_secret: null, totp_confirmed_at: null, totp_last_step: 0n },
    ...invitation,
  })
  await within.deleteFrom('operator_recovery_code').where('operator_id', '=', BigInt(id)).execute()
  return null
}

const ACTS = {
  ...({ askAct: 'changeOperators', decideAct: 'decideOperators' } as const),
  wordsOf: () => 'No trader reads anything of this: it is about the desk alone.',
}

/** Approved by a second person, the same things happen with both names under them. */
export function registerOperatorApprovals(
  { approvals, queries }: DeskServices,
  effects: OperatorEffects,
): void {
  approvals.register('inviteOperator', {
    ...ACTS,
    execute: async (body, approved) => {
      const added = await effects.add(actOf(approved, 'operator:new'), body as Invitation)
      return isRefusal(added) ? added : null
    },
  })
  approvals.register('resetOperator', {
    ...ACTS,
    execute: async (body, approved) => {
      const { id } = body as { readonly id: number }
      if (id === approved.second.id) return refuse('ownReset')
      const invitation = await effects.reset(actOf(approved, `operator:${id}`), id)
      // As with whoever is invited: the link is made anew for the one who asks for it.
      return isRefusal(invitation) ? invitation : null
    },
  })
  approvals.register('changeOperator', {
    ...ACTS,
    execute: async (body, approved) => {
      const { before, ...change } = body as AskedChange
      // Nobody agrees to their own role.
      if (change.id === approved.second.id) return refuse('sameOperator')
      const row = await findOperator(queries, change.id)
      const now = row && differenceOf(row, change).before
      if (now && before && (now.role !== before.role || now.isOn !== before.isOn))
        return refuse('formOutdated')
      return effects.change(actOf(approved, `operator:${change.id}`), change)
    },
  })
}

/** True where nobody else could agree to what this operator does. `at`: epoch ms. */
export async function isAlone(queries: Queries, operatorId: number, at: number): Promise<boolean> {
  const since = at - COUNTS_FOR_MS
  return !(await listOperatorRows(queries)).some(
    (row) =>
      row.id !== operatorId &&
      mayDo(row.role, 'decideOperators') &&
      ((row.is_on === 1n && row.password_hash !== null) || Number(row.last_seen_at ?? 0) > since),
  )
}

const hidden = (invitation: string, at: number) => ({
  invitation_hash: secretHash(invitation),
  invited_until: BigInt(Math.floor(at) + INVITATION_MS),
})

const actOf = ({ asked, second, reason, caseKey, approval }: Approved, subject: string) => ({
  ...{ operator: asked, second, reason, caseKey, approval, subject },
  act: 'changeOperators' as const,
})

/** Whether the desk can still be administered without this one. */
async function hasOtherAdministrator(queries: Queries, id: number): Promise<boolean> {
  const rows = await listOperatorRows(queries)
  return rows.some((row) => row.id !== id && canAdminister(row))
}
