import {
  DESK_PAGE_ROWS,
  type CaseNotice,
  type DeskOutcome,
  type TermsChangeRow,
  type TermsDraft,
  type TermsPreview,
} from '@fairlot/contract/desk'
import { ownLimitOf, type Author, type Request, type State, type TermsChange } from '@fairlot/core'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'
import { readEngine } from '../../engine/calls.ts'
import { authorCodec, decodeTermsChange, termsChangeCodec } from '../../engine/journal/event-codec.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { TermsChangeTable } from '../../platform/database/schema.ts'
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import { changedFields, termsBefore, type FieldChange } from '../terms-fields.ts'
import { replacedBy } from '../terms-history.ts'
import {
  checkCategory,
  formKeyOf,
  planTerms,
  termsTexts,
  withdrawalTexts,
  type TermsPlan,
} from './terms-draft.ts'

/** A change that waits for approval by a second operator. */
type RequestedTerms = {
  readonly change: string
  readonly effectiveAt: number | null
  readonly formKey: string
}

/** The withdrawal of an announced change that waits for approval by a second operator. */
type RequestedWithdrawal = { readonly withdraws: number }

export function createTermsChanges(services: DeskServices) {
  const { deployment, approvals, engineCommands, auditLog, hub } = services
  const { engine, market } = deployment
  const plan = (operator: DeskOperator, draft: TermsDraft) =>
    readEngine(engine, (state) =>
      planTerms(state, draft, {
        at: market.now(),
        operator,
        sources: market.feeds,
        categories: market.registry.categories,
      }),
    )

  const notifyDesk = () => hub.changed('market', 'waiting')

  registerTermsApproval(services, 'terms', 'Changes of terms')
  registerTermsApproval(services, 'limits', 'Two-operator limits')

  const requestApproval = async (
    operator: DeskOperator,
    planned: TermsPlan,
    reason: string,
    request?: Request,
  ) => {
    const { change, effectiveAt, formKey, preview, isLimit } = planned
    const body: RequestedTerms = { change: termsChangeCodec.write(change), effectiveAt, formKey }
    const { before, after } = sidesOf(preview.changes)
    const opened = await approvals.request(operator, {
      kind: isLimit ? 'limits' : 'terms',
      subject: subjectOf(change),
      body,
      reason,
      request,
      before,
      after: { ...after, ...fromWhen(effectiveAt) },
    })
    notifyDesk()
    return opened
  }

  return {
    preview: async (operator: DeskOperator, draft: TermsDraft): Promise<TermsPreview | Refusal> => {
      const planned = await plan(operator, draft)
      return isRefusal(planned) ? planned : planned.preview
    },

    change: async (
      operator: DeskOperator,
      { reason, ...draft }: TermsDraft & { readonly reason: string },
      request?: Request,
    ): Promise<DeskOutcome | Refusal> => {
      const planned = await plan(operator, draft)
      if (isRefusal(planned)) {
        await auditLog.recordRefusal(
          { operator, act: 'changeTerms', subject: `terms:${draft.kind}`, reason },
          planned,
        )
        return planned
      }
      const { change, effectiveAt, preview } = planned
      if (preview.needsSecond) return requestApproval(operator, planned, reason, request)
      const { before, after } = sidesOf(preview.changes)
      const answer = await engineCommands.execute(
        {
          operator,
          act: 'changeTerms',
          subject: subjectOf(change),
          reason,
          before,
          after: { ...after, ...fromWhen(effectiveAt) },
        },
        { type: 'setTerms', change, effectiveAt },
        request,
      )
      notifyDesk()
      return isRefusal(answer) ? answer : { approvalId: null }
    },

    withdraw: createWithdrawal(services),
  }
}

/** Withdraws an announced change, or requests it where the change is one of a limit. */
const createWithdrawal =
  ({ deployment: { engine }, approvals, engineCommands, hub }: DeskServices) =>
  async (operator: DeskOperator, changeId: number, reason: string): Promise<DeskOutcome | Refusal> => {
    const state = engine.state()
    const announced = state.announced.get(changeId)
    const audited = { ...withdrawalOf(state, changeId), reason }
    if (announced && ownLimitOf(state, announced) !== null) {
      const body: RequestedWithdrawal = { withdraws: changeId }
      const after = { ...audited.after, holdsFrom: 'withdrawn' }
      const opened = await approvals.request(operator, { kind: 'limits', body, ...audited, after })
      hub.changed('market', 'waiting')
      return opened
    }
    const answer = await engineCommands.execute(
      { operator, act: 'changeTerms', ...audited },
      { type: 'withdrawTerms', changeId },
    )
    hub.changed('market', 'waiting')
    return isRefusal(answer) ? answer : { approvalId: null }
  }

/** What the audit log states of the withdrawal of an announced change. */
function withdrawalOf(state: State, changeId: number) {
  const announced = state.announced.get(changeId)
  if (!announced) return { subject: 'terms', before: {}, after: {} }
  const { change, effectiveAt } = announced
  const fields = changedFields(termsBefore(state, change, effectiveAt, changeId), change)
  const { before: after, after: before } = sidesOf(fields)
  return { subject: subjectOf(change), before, after }
}

/** An approved change is carried out unless its terms have changed since the request. Dealers cannot approve two-operator limits. */
function registerTermsApproval(
  { deployment, approvals, engineCommands, hub }: DeskServices,
  kind: 'terms' | 'limits',
  name: string,
): void {
  const { engine, market } = deployment
  const why =
    kind === 'limits'
      ? 'changes a limit that needs two operators'
      : 'to the traders’ disadvantage, at short notice'
  approvals.register(kind, {
    name,
    signsOf: () => [{ weight: 2, why }],
    textsOf: (body, reason) => {
      const requestedBody = body as RequestedTerms | RequestedWithdrawal
      if ('withdraws' in requestedBody) return textsOfWithdrawal(deployment, requestedBody.withdraws)
      const { change, effectiveAt } = requestedBody
      const requested = { change: decodeTermsChange(change), effectiveAt, reason }
      return readEngine(engine, (state) => termsTexts(state, requested, market.now()))
    },
    execute: async (body, approved) => {
      const requestedBody = body as RequestedTerms | RequestedWithdrawal
      if ('withdraws' in requestedBody) {
        const changeId = requestedBody.withdraws
        const audited = await readEngine(engine, (state) =>
          state.announced.has(changeId)
            ? withdrawalOf(state, changeId)
            : refuse('termsUnknown', { changeId }),
        )
        if (isRefusal(audited)) return audited
        const answer = await engineCommands.execute(
          { ...approved, act: 'changeTerms', ...audited },
          { type: 'withdrawTerms', changeId },
        )
        hub.changed('market', 'waiting')
        return isRefusal(answer) ? answer : null
      }
      const { formKey, ...waiting } = requestedBody
      const change = decodeTermsChange(waiting.change)
      const now = market.now()
      // If its time has passed while it waited, it takes effect at once.
      const isPast = waiting.effectiveAt !== null && waiting.effectiveAt <= now
      const effectiveAt = isPast ? null : waiting.effectiveAt
      const current = await readEngine(engine, (state) => ({
        key: formKeyOf(state, change),
        fields: changedFields(termsBefore(state, change, effectiveAt ?? now), change),
      }))
      if (isRefusal(current)) return current
      const isCategoryGone = checkCategory(change, market.registry.categories) !== null
      if (current.key !== formKey || isCategoryGone) return refuse('formOutdated')
      const answer = await engineCommands.execute(
        { ...approved, act: 'changeTerms', subject: subjectOf(change), ...sidesOf(current.fields) },
        { type: 'setTerms', change, effectiveAt },
      )
      hub.changed('market', 'waiting')
      return isRefusal(answer) ? answer : null
    },
  })
}

/** What users will read of a withdrawn change: still the reason of its announcement. */
async function textsOfWithdrawal(
  { database, engine, market }: DeskServices['deployment'],
  changeId: number,
): Promise<CaseNotice[] | string | Refusal> {
  await engine.caughtUp()
  const row = await database.queries
    .selectFrom('terms_change')
    .select('reason')
    .where('change_id', '=', BigInt(changeId))
    .executeTakeFirst()
  const withdrawn = { changeId, reason: row?.reason ?? '' }
  return readEngine(engine, (state) => withdrawalTexts(state, withdrawn, market.now()))
}

/** The effective time as a text. */
const fromWhen = (effectiveAt: number | null) => ({
  holdsFrom: effectiveAt === null ? 'at once' : new Date(effectiveAt).toISOString(),
})

function subjectOf(change: TermsChange): string {
  if (change.kind === 'instrument') return `instrument:${change.instrument.code}`
  return change.kind === 'calendar' ? `hours:${change.session.name}` : `terms:${change.kind}`
}

/** The values of fields before and after a change. */
const sidesOf = (fields: readonly FieldChange[]) => ({
  before: Object.fromEntries(fields.map(({ field, before }) => [field, before])),
  after: Object.fromEntries(fields.map(({ field, after }) => [field, after])),
})

/** The history of changes of terms. */
type Status = TermsChangeRow['status']
type HistoryQuery = { readonly page: number; readonly status: Status | null }

/** A page of the changes, newest first; `codeOf` gives an instrument's code. */
export async function readTermsHistory(
  queries: Queries,
  { page, status }: HistoryQuery,
  codeOf: (id: number) => string,
  limit = DESK_PAGE_ROWS,
) {
  const found = queries
    .selectFrom('terms_change')
    .$if(status === 'withdrawn', (query) => query.where('withdrawn_at', 'is not', null))
    .$if(status === 'inForce', (query) => query.where('in_effect_at', 'is not', null))
    .$if(status === 'announced', (query) =>
      query.where('withdrawn_at', 'is', null).where('in_effect_at', 'is', null),
    )
  const { total } = await found.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .selectAll()
    .orderBy('change_id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const names = await operatorNames(queries)
  const changes: TermsChangeRow[] = []
  for (const row of rows) {
    const before = await replacedBy(queries, row)
    const author = authorCodec.read(JSON.parse(row.author)) as Author
    const after = decodeTermsChange(row.body)
    const nameOf = (id: number) => names.get(id) ?? `operator ${id}`
    changes.push({
      changeId: Number(row.change_id),
      kind: after.kind,
      status: statusOf(row),
      reason: row.reason,
      subject:
        after.kind === 'instrument' || after.kind === 'source' ? codeOf(Number(row.subject)) : row.subject,
      decidedAt: Number(row.at),
      effectiveAt: Number(row.effective_at),
      author: author.type === 'operator' ? nameOf(author.id) : 'deployment',
      second: author.type === 'operator' && author.second ? nameOf(author.second.id) : null,
      changes: changedFields(before, after),
    })
  }
  return { changes, total: Number(total) }
}

function statusOf({ in_effect_at, withdrawn_at }: TermsChangeTable): Status {
  if (withdrawn_at !== null) return 'withdrawn'
  return in_effect_at === null ? 'announced' : 'inForce'
}

async function operatorNames(queries: Queries): Promise<ReadonlyMap<number, string>> {
  const rows = await queries.selectFrom('operator').select(['id', 'name']).execute()
  return new Map(rows.map(({ id, name }) => [Number(id), name]))
}
