import {
  chooseLanguage,
  closeAccount,
  getClosing,
  getUser,
  listActivity,
  takeData,
  type LanguageCode,
  type User,
} from '@fairlot/contract'
import { identityStatusOf } from '../database/identity-schema.ts'
import type { Queries } from '../database/open.ts'
import { noteActivity } from '../database/user-activity.ts'
import type { Engine } from '../engine/engine.ts'
import type { Api } from '../http/api.ts'
import { refuse } from '../http/refusal.ts'
import { listActivities } from './activity.ts'
import { createClosing } from './closing/close-account.ts'
import { ARCHIVE_WITHIN_MS, createTakeData } from './own-data/take-data.ts'
import type { OwnDataServices } from './user-services.ts'

type UserOptions = {
  readonly queries: Queries
  readonly engine: Pick<Engine, 'caughtUp'>
  /** Real time, epoch ms. */
  readonly now: () => number
}

export function registerUser(api: Api, { queries, engine, now }: UserOptions): void {
  api.user(getUser, async ({ user }) => (await findUser(queries, user.id)) ?? refuse('sessionGone'))

  api.user(chooseLanguage, async ({ user, input, device, address }) => {
    await queries.transaction().execute(async (within) => {
      if (!(await setLanguage(within, user.id, input.language))) return
      await noteActivity(within, { userId: user.id, kind: 'languageChosen', at: now(), device, address })
    })
    return null
  })

  api.user(listActivity, async ({ user, input, translate }) => {
    await engine.caughtUp()
    return listActivities(queries, user.id, input.page, translate)
  })
}

/** One's own data, and the end of the account. Answers how to finish closings that a crash has cut short. */
export function registerOwnData(
  api: Api,
  services: OwnDataServices,
): Pick<ReturnType<typeof createClosing>, 'finish'> {
  const closing = createClosing(services)
  api.file(takeData, createTakeData(services), { withinMs: ARCHIVE_WITHIN_MS })
  api.user(getClosing, closing.look)
  api.user(closeAccount, closing.close)
  return closing
}

/** A user as the contract shows them; null when there is none of this id. */
export async function findUser(queries: Queries, id: number): Promise<User | null> {
  const row = await queries
    .selectFrom('app_user')
    .leftJoin('member', 'member.user_id', 'app_user.id')
    .leftJoin('account', 'account.id', 'app_user.id')
    .leftJoin('verified_person', 'verified_person.user_id', 'app_user.id')
    .leftJoin('identity_check', 'identity_check.user_id', 'app_user.id')
    .select(['verified_person.at as verified_at', 'identity_check.status as identity_status'])
    .select(['is_demo', 'invite_code', 'credit_score', 'email', 'calling_code', 'national_number'])
    .select(['account.status', 'account.status_reason'])
    .where('app_user.id', '=', BigInt(id))
    .executeTakeFirst()
  if (!row) return null
  return {
    id,
    uid: String(100_000 + id),
    email: row.email,
    phone: row.national_number,
    areaCode: row.calling_code,
    isDemo: row.is_demo === 1n,
    inviteCode: row.is_demo === 1n ? null : row.invite_code,
    creditScore: Number(row.credit_score),
    restriction: restrictionOf(row),
    identityCheck: identityStatusOf(row.verified_at, row.identity_status),
  }
}

const restrictionOf = ({
  status,
  status_reason: reason,
}: {
  readonly status: string | null
  readonly status_reason: string | null
}): User['restriction'] =>
  status === 'closeOnly' || status === 'frozen' ? { status, reason: reason ?? '' } : null

/** Of a real user; false where it was that before. A demo account is sent no messages, so of its language nothing is kept. */
async function setLanguage(within: Queries, id: number, language: LanguageCode): Promise<boolean> {
  const changed = await within
    .updateTable('member')
    .set({ language })
    .where('user_id', '=', BigInt(id))
    .where('language', '!=', language)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}
