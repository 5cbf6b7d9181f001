import type { Queries } from '../database/open.ts'
import { kindsOf } from './notice-mails.ts'

/** How many of the newest notices a user keeps, and for how long: two years of a busy account can be read, and no table grows for ever. */
export const NOTICES_KEPT = 1_000
const KEPT_MS = 400 * 86_400_000
/** Users whose notices are looked through in one round, and how often there is one: all of 100,000 within a day. */
const USERS_AT_ONCE = 500
const TIDY_MS = 300_000

type Options = {
  readonly queries: Queries
  /** Epoch ms on the market clock, as notices have it. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
}

export type NoticeTidying = {
  /** Looks through the notices of the next users. */
  round(): Promise<void>
  stop(): Promise<void>
}

/**
 * Removes notices beyond the newest `NOTICES_KEPT` of a user and those that are older than 400 days. What a mail is due for stays until
 * it is written, and security that nobody has read stays for good.
 */
export function startNoticeTidying({ queries, now, onError }: Options): NoticeTidying {
  let after = -1n
  let underWay: Promise<void> = Promise.resolve()
  const round = async (): Promise<void> => {
    const users = await queries
      .selectFrom('notice')
      .select('user_id')
      .distinct()
      .where('user_id', '>', after)
      .orderBy('user_id')
      .limit(USERS_AT_ONCE)
      .execute()
    for (const { user_id: userId } of users) {
      await tidy(queries, userId, now() - KEPT_MS)
      after = userId
    }
    if (users.length < USERS_AT_ONCE) after = -1n
  }
  const timer = setInterval(() => {
    underWay = underWay.then(round).catch((error: unknown) => onError(error, 'removing old notices'))
  }, TIDY_MS)
  return {
    round,
    stop: async () => {
      clearInterval(timer)
      await underWay
    },
  }
}

async function tidy(queries: Queries, userId: bigint, before: number): Promise<void> {
  const oldestKept = await queries
    .selectFrom('notice')
    .select('at')
    .where('user_id', '=', userId)
    .orderBy('at', 'desc')
    .limit(1)
    .offset(NOTICES_KEPT - 1)
    .executeTakeFirst()
  const byAge = BigInt(Math.floor(before))
  const byCount = oldestKept?.at ?? byAge
  await queries
    .deleteFrom('notice')
    .where('user_id', '=', userId)
    .where('at', '<', byCount > byAge ? byCount : byAge)
    .where('mail', '!=', 'due')
    .where(({ eb, or }) => or([eb('read_at', 'is not', null), eb('kind', 'not in', kindsOf(['security']))]))
    .execute()
}
