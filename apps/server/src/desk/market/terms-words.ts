import { termsCard } from '@fairlot/contract'
import type { CaseWords } from '@fairlot/contract/desk'
import type { State, TermsChange } from '@fairlot/core'
import { tagOf, type Language } from '../../i18n/translate.ts'
import { announcedOf } from '../../market/announced-terms.ts'
import { everyonesWords } from '../waiting/trader-words.ts'

export type ToBeAnnounced = {
  readonly change: TermsChange
  /** Epoch ms on the market clock; null: at once. */
  readonly effectiveAt: number | null
  readonly reason: string
}

/**
 * What traders will read of a change of terms that a second person agrees to at `at`, or why they read nothing of it. Moments are told in
 * UTC; each reader has their own time.
 */
export function termsWords(
  state: State,
  { change, effectiveAt, reason }: ToBeAnnounced,
  at: number,
): CaseWords[] | string {
  if (effectiveAt === null || effectiveAt <= at)
    return 'It holds at once, so nothing is announced: traders see the new terms themselves.'
  const announced = announcedOf(state, { changeId: Infinity, effectiveAt, change })
  if (!announced) return 'No trader reads anything of this: it is about prices that are let in, and lists.'
  const isUrgent = effectiveAt - at < announced.noticeMs
  const codeOf = (id: number) => state.listings.get(id)?.showCode ?? null
  const isMarginFixed = (id: number) => state.instruments.get(id)?.marginMode === 'fixed'
  const isFeeOfMargin = state.settings.feeType !== 'fixed'
  return everyonesWords((say, language) => {
    const reader = { say, codeOf, isMarginFixed, isFeeOfMargin, ...formatsOf(language) }
    const { subject, urgent, from, rows, reason: why } = termsCard(reader, { ...announced, isUrgent, reason })
    const fields = rows.map(({ term, before, after }) => `${term}: ${before} → ${after}`)
    const lines = [urgent === null ? subject : `${subject} · ${urgent}`, from, ...fields, why]
    return lines.flatMap((text) => (text === null ? [] : { when: 'approved', text }))
  })
}

/** Figures and moments as the traders' app writes them: Latin digits, the Gregorian calendar, a true minus. */
function formatsOf(language: Language) {
  const tag = `${tagOf(language)}-u-ca-gregory-nu-latn`
  const plain = new Intl.NumberFormat(tag, { maximumFractionDigits: 10 })
  const moment = new Intl.DateTimeFormat(tag, {
    ...{ hourCycle: 'h23', timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'medium' },
  })
  return {
    decimal: (text: string) => plain.format(Number(text)).replace('-', '\u2212'),
    dateTime: (at: number) => `${moment.format(at)} UTC`,
  }
}
