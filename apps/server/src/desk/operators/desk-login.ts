import { networkOf } from '../../http/rate-limits.ts'
import { refuse, isRefusal, type Refusal } from '../../http/refusal.ts'
import { secretHash } from '../../http/login-sessions.ts'
import { counted, createAttempts } from '../../auth/attempt-limits.ts'
import type { Hasher } from '../../auth/password-hash.ts'
import { refusalOfPassword } from '../../auth/password-rule.ts'
import type { Queries } from '../../database/open.ts'
import type { ActLog } from '../acts/act-log.ts'
import type { DeskOperator } from '../operator.ts'
import {
  changeOperatorRow,
  findInvited,
  findOperatorByName,
  nameKey,
  type OperatorRow,
} from './operator-repository.ts'
import type { DeskSessions, Origin } from './desk-sessions.ts'
import type { OperatorFactor } from './operator-factor.ts'

export type LoginOptions = {
  readonly queries: Queries
  readonly sessions: DeskSessions
  readonly factor: OperatorFactor
  readonly hasher: Hasher
  readonly acts: ActLog
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly limits: { readonly failedLoginsPerAddress: number; readonly failedLoginsPerAccount: number }
}

type Credentials = { readonly name: string; readonly password: string; readonly code: string | null }

/** Failures by name from everywhere: wider than from one network, so that guessing does not lock its owner out. */
const ANYWHERE_FACTOR = 10

const deskOperator = ({ id, name, role }: OperatorRow): DeskOperator => ({ id, name, role })

/** How operators come in: by name, password and code, or the first time by an invitation. */
export function createDeskLogin({ queries, sessions, factor, hasher, acts, now, limits }: LoginOptions) {
  const ofAddress = createAttempts(() => limits.failedLoginsPerAddress)
  const ofName = createAttempts(() => limits.failedLoginsPerAccount)
  const anywhere = createAttempts(() => limits.failedLoginsPerAccount * ANYWHERE_FACTOR)

  /** One answer for a wrong name and a wrong password, after the same work. */
  const check = async ({ name, password, code }: Credentials): Promise<OperatorRow | Refusal> => {
    const found = await findOperatorByName(queries, name)
    const isRight = await hasher.verify(password, found?.is_on === 1n ? found.password_hash : null)
    if (!found || !isRight) return refuse('credentialsWrong')
    return (await factor.refusalOf(found, code)) ?? found
  }

  const enter = async (row: OperatorRow, origin: Origin) => {
    const subject = `operator:${row.id}`
    await acts.note(
      { operator: deskOperator(row), act: 'ownAccess', subject, after: { loggedInFrom: origin } },
      async () => null,
    )
    return sessions.start(row.id, origin)
  }

  const logIn = async (credentials: Credentials, origin: Origin): Promise<string | Refusal> => {
    const network = networkOf(origin.address)
    const name = nameKey(credentials.name)
    const keys = [
      [ofAddress, network],
      [ofName, `${name} ${network}`],
      [anywhere, name],
    ] as const
    const row = await counted(keys, () => check(credentials))
    return isRefusal(row) ? row : enter(row, origin)
  }

  const join = async (
    { invitation, password }: { readonly invitation: string; readonly password: string },
    origin: Origin,
  ): Promise<string | Refusal> => {
    const hash = secretHash(invitation)
    const invited = await counted(
      [[ofAddress, networkOf(origin.address)]],
      async () => (await findInvited(queries, hash, now())) ?? refuse('invitationInvalid'),
    )
    if (isRefusal(invited)) return invited
    const weak = await refusalOfPassword(password, invited.name)
    if (weak) return weak
    const passwordHash = await hasher.hash(password)
    const joined = await acts.note(
      {
        operator: deskOperator(invited),
        act: 'ownAccess',
        subject: `operator:${invited.id}`,
        after: { joined: true },
      },
      async (within) => {
        // Two may open the same link: the second finds it taken.
        if (!(await findInvited(within, hash, now()))) return refuse('invitationInvalid')
        await changeOperatorRow(within, invited.id, {
          ...{ password_hash: passwordHash, invitation_hash: null, invited_until: null },
        })
        return null
      },
    )
    return isRefusal(joined) ? joined : sessions.start(invited.id, origin)
  }

  return { logIn, join }
}
