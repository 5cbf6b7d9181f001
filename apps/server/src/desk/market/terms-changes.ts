/** Changes of terms by operators: announced, put before a second person, or taken back. */
import type { DeskOutcome, TermsDraft, TermsPreview } from '@fairlot/contract/desk'
import type { Request, TermsChange } from '@fairlot/core'
import { decodeTermsChange, termsChangeCodec } from '../../engine/journal/terms-codec.ts'
import { isRefusal, readEngine, refuse, type Refusal } from '../../http/refusal.ts'
import { changedFields, termsBefore, type FieldChange } from '../../market/terms-fields.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import { formKeyOf } from './terms-draft.ts'
import { termsWords } from './terms-words.ts'
import { checkCategory, planTerms, type TermsPlan } from './terms-plan.ts'

/** What waits for a second person. */
type AskedTerms = {
  readonly change: string
  readonly effectiveAt: number | null
  readonly formKey: string
}

export function createTermsChanges(services: DeskServices) {
  const { deployment, approvals, engineActs, acts, hub } = services
  const { engine, market } = deployment
  const plan = (operator: DeskOperator, draft: TermsDraft) =>
    readEngine(engine, (state) =>
      planTerms(state, draft, {
        ...{ at: market.now(), operator, sources: market.feeds, categories: market.registry.categories },
      }),
    )

  const tell = () => hub.changed('market', 'waiting')

  registerTermsApproval(services)

  const ask = async (operator: DeskOperator, planned: TermsPlan, reason: string, request?: Request) => {
    const { change, effectiveAt, formKey, preview } = planned
    const body: AskedTerms = { change: termsChangeCodec.write(change), effectiveAt, formKey }
    const { before, after } = sidesOf(preview.changes)
    const approvalId = await approvals.ask(operator, {
      ...{ kind: 'terms', subject: subjectOf(change), body, reason, request, before },
      after: { ...after, ...fromWhen(effectiveAt) },
    })
    tell()
    return isRefusal(approvalId) ? approvalId : { approvalId }
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
        await acts.tellRefused(
          { operator, act: 'changeTerms', subject: `terms:${draft.kind}`, reason },
          planned,
        )
        return planned
      }
      const { change, effectiveAt, preview } = planned
      if (preview.needsSecond) return ask(operator, planned, reason, request)
      const { before, after } = sidesOf(preview.changes)
      const answer = await engineActs.execute(
        {
          ...{ operator, act: 'changeTerms', subject: subjectOf(change), reason, before },
          after: { ...after, ...fromWhen(effectiveAt) },
        },
        { type: 'setTerms', change, effectiveAt },
        request,
      )
      tell()
      return isRefusal(answer) ? answer : { approvalId: null }
    },

    withdraw: withdrawing(services),
  }
}

/** Taking back what is announced. */
const withdrawing =
  ({ deployment: { engine }, engineActs, hub }: DeskServices) =>
  async (operator: DeskOperator, changeId: number, reason: string): Promise<null | Refusal> => {
    const state = engine.state()
    const announced = state.announced.get(changeId)
    const subject = announced ? subjectOf(announced.change) : 'terms'
    const fields = announced
      ? changedFields(termsBefore(state, announced.change, announced.effectiveAt, changeId), announced.change)
      : []
    const { before: after, after: before } = sidesOf(fields)
    const act = { operator, act: 'changeTerms', subject, reason, before, after } as const
    const answer = await engineActs.execute(act, { type: 'withdrawTerms', changeId })
    hub.changed('market', 'waiting')
    return isRefusal(answer) ? answer : null
  }

/** Four eyes: what was asked for is done where nothing has changed beneath it. */
function registerTermsApproval({ deployment, approvals, engineActs, hub }: DeskServices): void {
  const { engine, market } = deployment
  approvals.register('terms', {
    ...{ askAct: 'changeTerms', decideAct: 'changeTerms', name: 'Changes of terms' },
    signsOf: () => [{ weight: 2, why: 'to the traders’ disadvantage, at short notice' }],
    wordsOf: (body, reason) => {
      const { change, effectiveAt } = body as AskedTerms
      const asked = { change: decodeTermsChange(change), effectiveAt, reason }
      return readEngine(engine, (state) => termsWords(state, asked, market.now()))
    },
    execute: async (body, { asked, second, reason, caseKey, approval }) => {
      const { formKey, ...waiting } = body as AskedTerms
      const change = decodeTermsChange(waiting.change)
      const now = market.now()
      // What was to be an emergency has not become one by waiting: it holds at once.
      const isPast = waiting.effectiveAt !== null && waiting.effectiveAt <= now
      const effectiveAt = isPast ? null : waiting.effectiveAt
      const seen = await readEngine(engine, (state) => ({
        key: formKeyOf(state, change),
        fields: changedFields(termsBefore(state, change, effectiveAt ?? now), change),
      }))
      if (isRefusal(seen)) return seen
      const isGone = checkCategory(change, market.registry.categories) !== null
      if (seen.key !== formKey || isGone) return refuse('formOutdated')
      const told = { ...sidesOf(seen.fields), reason, caseKey, second, approval }
      const answer = await engineActs.execute(
        { operator: asked, act: 'changeTerms', subject: subjectOf(change), ...told },
        { type: 'setTerms', change, effectiveAt },
      )
      hub.changed('market', 'waiting')
      return isRefusal(answer) ? answer : null
    },
  })
}

/** The moment from which it is to hold, for whoever reads of it. */
const fromWhen = (effectiveAt: number | null) => ({
  holdsFrom: effectiveAt === null ? 'at once' : new Date(effectiveAt).toISOString(),
})

function subjectOf(change: TermsChange): string {
  if (change.kind === 'instrument') return `instrument:${change.instrument.code}`
  return change.kind === 'calendar' ? `hours:${change.session.name}` : `terms:${change.kind}`
}

/** Fields as they were, and as they will be. */
const sidesOf = (fields: readonly FieldChange[]) => ({
  before: Object.fromEntries(fields.map(({ field, before }) => [field, before])),
  after: Object.fromEntries(fields.map(({ field, after }) => [field, after])),
})
