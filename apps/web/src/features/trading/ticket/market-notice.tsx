import type { InstrumentListing } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { marketNow } from '../../../live/market/market-clock.ts'
import type { MarketProblem } from './problems.ts'

type MarketNoticeProps = {
  problem: MarketProblem
  nextOpenAt: InstrumentListing['nextOpenAt']
  staleSeconds: number | null
  haltReason: string | null
}

/** Why nothing can be sent now, and what is awaited. */
export function MarketNotice(props: MarketNoticeProps) {
  const text = useNoticeText(props)
  return (
    <p role="status" className="rounded-field bg-brass-tint px-3 py-2 text-note">
      {text}
    </p>
  )
}

function useNoticeText({ problem, nextOpenAt, staleSeconds, haltReason }: MarketNoticeProps): string {
  const t = useTranslations('ticket')
  const halt = useTranslations('halt')
  const { moments } = useLocale()
  if (problem === 'marketClosed' && nextOpenAt !== null)
    return t('marketClosedUntil', { time: moments.soon(nextOpenAt, marketNow()) })
  if (problem === 'halted') return halt('notice', { reason: haltReason ?? '' })
  if (problem !== 'stalePrice') return t(problem)
  const seconds = staleSeconds ?? 0
  return seconds < 60
    ? t('stalePrice', { seconds })
    : t('stalePriceMinutes', { minutes: Math.floor(seconds / 60) })
}
