import {
  approveIdentity,
  getIdentity,
  refuseIdentity,
  revealIdentityNumber,
  type IdentityDetail,
} from '@fairlot/contract/desk'
import { identityCase, identityNumber, type IdentityCheckTable } from '../../database/identity-schema.ts'
import type { Queries } from '../../database/open.ts'
import { refuse } from '../../http/refusal.ts'
import { maskedNumber } from '../../identity/document-fields.ts'
import type { DeskServices } from '../desk-services.ts'
import { createIdentityDecisions } from './identity-decisions.ts'
import { doublesOf, identitySource } from './identity-source.ts'

/** Who people are, as they have shown it: for compliance. Each view of a picture or a whole number is written down. */
export function registerIdentityDesk(services: DeskServices): void {
  const { api, queries, acts, waiting, deployment } = services
  waiting.register(identitySource(services))
  const decisions = createIdentityDecisions(services)
  const find = (accountId: number) =>
    queries
      .selectFrom('identity_check')
      .selectAll()
      .where('user_id', '=', BigInt(accountId))
      .executeTakeFirst()
  const numberOf = ({ user_id, number }: IdentityCheckTable) =>
    deployment.vault.open(number, identityNumber(user_id))

  api.operator(getIdentity, async ({ input: { accountId } }) => {
    const row = await find(accountId)
    return row ? shown(services, row, maskedNumber(numberOf(row))) : refuse('caseNotFound')
  })
  api.operator(revealIdentityNumber, async ({ operator, input: { accountId } }) => {
    const row = await find(accountId)
    if (!row) return refuse('caseNotFound')
    const caseKey = identityCase(accountId)
    const act = { operator, act: 'viewIdentity', subject: caseKey, accountId, caseKey } as const
    return acts.note({ ...act, after: { shown: 'number' } }, async () => ({ number: numberOf(row) }))
  })
  api.operator(approveIdentity, ({ operator, input }) => decisions.approve(operator, input))
  api.operator(refuseIdentity, ({ operator, input }) => decisions.refuse(operator, input))
}

async function shown(
  { queries }: DeskServices,
  row: IdentityCheckTable,
  number: string,
): Promise<IdentityDetail> {
  const doubles = await doublesOf(queries, [row])
  return {
    ...{ accountId: Number(row.user_id), name: row.name, number, front: row.front, reverse: row.reverse },
    ...{
      sentAt: Number(row.sent_at),
      timesSent: Number(row.times_sent),
      isWaiting: row.status === 'waiting',
    },
    sameNumber: doubles.get(row.user_id) ?? [],
    samePictures: await casesOfSamePictures(queries, row),
  }
}

/** Other cases with the very same bytes. Documents of one kind look alike, so their looks say nothing. */
async function casesOfSamePictures(
  queries: Queries,
  { user_id: userId, front, reverse }: IdentityCheckTable,
): Promise<string[]> {
  const rows = await queries
    .selectFrom('stored_file as own')
    .innerJoin('stored_file as other', 'other.original_sha256', 'own.original_sha256')
    .select('other.used_by')
    .distinct()
    .where('own.key', 'in', [front, reverse])
    .where('other.used_by', 'is not', null)
    .where('other.used_by', '!=', identityCase(userId))
    .execute()
  return rows.flatMap(({ used_by: usedBy }) => usedBy ?? [])
}
