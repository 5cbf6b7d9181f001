import type { InstrumentListing, QuoteSource } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useInstruments } from '../live/market/instruments.ts'
import { useUser } from '../live/auth/user.ts'
import { sourceKey } from '../live/market/source-key.ts'
import { Badge } from '@fairlot/ui/badge.tsx'

const LEAST_REAL_FIRST: readonly QuoteSource[] = ['simulated', 'recorded', 'live']

/** The least real of the sources on the list: one chip over all must not promise more than each price keeps. */
export const sourceOf = (instruments: readonly Pick<InstrumentListing, 'source'>[]): QuoteSource | null =>
  LEAST_REAL_FIRST.find((source) => instruments.some((instrument) => instrument.source === source)) ?? null

/** Where the prices come from; a demo account says that it is one. Always there. */
export function SourceChip() {
  const t = useTranslations('source')
  const source = sourceOf(useInstruments().instruments ?? [])
  const isDemo = useUser()?.isDemo ?? false
  if (source === null) return isDemo && <Badge tone="brass">{t('demo')}</Badge>
  return <Badge tone="brass">{t(sourceKey(source, isDemo))}</Badge>
}
