import { formatDecimal, type Instrument, type Side } from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { lotText } from './lot-text.ts'
import type { Problem } from './problems.ts'
import type { TicketState } from './ticket-state.ts'

export type ProblemText = (problem: Problem | undefined) => string | null

/** Writes problems in the reader's language, each with what would work. `side` is the one they are about. */
export function useProblemText(instrument: Instrument, state: TicketState, example: number): ProblemText {
  const t = useTranslations('ticket.problem')
  const { figures } = useLocale()
  const price = (ticks: number): string => figures.figure(ticks, instrument.priceDecimals)
  const lots = (units: Instrument['lotMin']): string => figures.decimal(lotText(units, instrument.lotStep))
  const side: Side = state.attempted ?? 'buy'
  return (problem) =>
    problem === undefined
      ? null
      : t(problem.code, {
          side,
          min: lots(instrument.lotMin),
          max: lots(instrument.lotMax),
          step: lots(instrument.lotStep),
          lots: state.lots,
          example: formatDecimal(example, instrument.priceDecimals),
          nearest: price(problem.nearest ?? example),
        })
}
