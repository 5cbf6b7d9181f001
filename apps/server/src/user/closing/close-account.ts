import type { Closing, OwnProof } from '@fairlot/contract'
import { closingObstacles, money, type Money, type Rejection, type State } from '@fairlot/core'
import { noteActivity } from '../../database/user-activity.ts'
import type { UserCall } from '../../http/api.ts'
import { isRefusal, readEngine, refuse, resultOf, type Refusal } from '../../http/refusal.ts'
import type { OwnDataServices } from '../user-services.ts'
import { forgetPerson } from './forget-person.ts'

const UNIT = 1_000_000n
/** From where it was closed is forgotten too. */
const NOWHERE = { device: '', address: '' }

/** Ends accounts for good: the engine decides, and then the person behind the account is forgotten. */
export function createClosing(services: OwnDataServices) {
  const { queries, engine, sessions, notifier, settings, now, checkProof, contactOf, onError } = services
  const leftMax = (): Money => money(BigInt(settings.closing_left_max) * UNIT)

  /** May be done again: a crash between the two leaves a closed account with a name, which the next round finds. */
  const forget = async (userId: number) => {
    const contact = await contactOf(userId)
    const end = await queries.transaction().execute(async (within) => {
      if (!(await forgetPerson(within, userId, now()))) return null
      await noteActivity(within, { userId, kind: 'accountClosed', at: now(), ...NOWHERE })
      const number = String(100_000 + userId)
      if (contact) await notifier.write('accountClosed', contact, { number }, within)
      return sessions.endAllWithin(userId, within)
    })
    await end?.()
    notifier.send()
  }

  const isClosed = (userId: number) =>
    readEngine(engine, ({ accounts }) => accounts.get(userId)?.status === 'closed')

  return {
    /** What stands in the way, all of it at once. */
    look: async ({ user }: Pick<UserCall<null>, 'user'>): Promise<Closing | Refusal> => {
      const seen = await readEngine(engine, (state) => {
        const account = state.accounts.get(user.id)
        return account
          ? {
              found: closingObstacles(state, account, leftMax()).flatMap((each) =>
                shown(each, state, user.id),
              ),
              balance: account.available.balance,
            }
          : refuse('accountNotFound')
      })
      if (isRefusal(seen)) return seen
      return { obstacles: seen.found, balance: seen.balance, leftMax: leftMax() }
    },

    close: async ({ user, input, request }: UserCall<OwnProof>): Promise<null | Refusal> => {
      const barrier = await checkProof(user, input)
      if (barrier) return barrier
      const command = { type: 'closeAccount', accountId: user.id, leftMax: leftMax(), request } as const
      const done = await resultOf(engine, command)
      if (isRefusal(done)) {
        // Closed by a call whose answer was lost: what is left of it is done now.
        if (done.rejected !== 'accountClosed' || (await isClosed(user.id)) !== true) return done
      }
      await forget(user.id)
      return null
    },

    /** Finishes what a crash or a database that was away has left. */
    finish: async (): Promise<void> => {
      await engine.caughtUp()
      const rows = await queries
        .selectFrom('account')
        .innerJoin('app_user', 'app_user.id', 'account.id')
        .select('account.id')
        .where('account.status', '=', 'closed')
        .where('app_user.closed_at', 'is', null)
        .execute()
      for (const { id } of rows)
        await forget(Number(id)).catch((error: unknown) =>
          onError(error, 'forgetting who has closed an account'),
        )
    },
  }
}

const CASES_OPEN = {
  deposit: 'depositsOpen',
  withdrawal: 'withdrawalsOpen',
  adjustment: 'correctionsOpen',
} as const

/** As the screen names them: how many, or of a balance how much. Cases by their kind, for each is found in another place. */
function shown(
  { rejected, details: { count, free } }: Rejection,
  { cases }: Pick<State, 'cases'>,
  userId: number,
): Closing['obstacles'] {
  if (rejected === 'casesOpen') {
    const kinds = [...cases.values()].flatMap(({ accountId, kind }) => (accountId === userId ? [kind] : []))
    return (['deposit', 'withdrawal', 'adjustment'] as const).flatMap((kind) => {
      const many = kinds.filter((each) => each === kind).length
      return many === 0 ? [] : { what: CASES_OPEN[kind], count: many, amount: null }
    })
  }
  return [
    {
      what: rejected as Closing['obstacles'][number]['what'],
      count: typeof count === 'number' ? count : null,
      amount: typeof free === 'bigint' ? money(free) : null,
    },
  ]
}
