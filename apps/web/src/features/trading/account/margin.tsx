import type { Decimal } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useAccountFigures } from '../../../live/account/account.ts'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { classNames } from '@fairlot/ui/class-names.ts'
import { MeterBar } from '@fairlot/ui/meter-bar.tsx'

/** How safe an account is: nothing to say, at or below the warning level, or shortly above the stop-out. */
type MarginState = 'calm' | 'warning' | 'near'

type MarginLimits = { readonly warningLevel: Decimal; readonly stopOutLevel: Decimal }

/** Up to this many times the stop-out level is near it: 60 % for 50 %. */
const NEAR = 1.2

/** The state of a margin level in percent; null is no margin in use. */
export function marginState(
  level: Decimal | null,
  { warningLevel, stopOutLevel }: MarginLimits,
): MarginState {
  if (level === null) return 'calm'
  if (Number(level) <= Number(stopOutLevel) * NEAR) return 'near'
  return Number(level) <= Number(warningLevel) ? 'warning' : 'calm'
}

/** How safe the reader's account is; calm until it is known. */
export function useMarginState(): MarginState {
  const level = useAccountFigures()?.level ?? null
  const info = useBasicInfo()
  return info ? marginState(level, info) : 'calm'
}

/** The margin call: what the level has come to, and what happens at the stop-out. Nothing while there is enough. */
export function MarginNotice() {
  const t = useTranslations('account')
  const { figures } = useLocale()
  const info = useBasicInfo()
  const state = useMarginState()
  if (!info || state === 'calm') return null
  const levels = {
    warning: figures.percent(info.warningLevel, { shown: 0 }),
    stopOut: figures.percent(info.stopOutLevel, { shown: 0 }),
  }
  return (
    <p
      role="status"
      className={classNames(
        'rounded-field px-3 py-2 text-note',
        state === 'near' ? 'bg-danger-tint' : 'bg-brass-tint',
      )}
    >
      <strong className={classNames('font-bold', state === 'near' && 'text-danger')}>
        {t(state === 'near' ? 'stopOutNear' : 'marginCall')}
      </strong>{' '}
      {t('marginCallText', levels)}
    </p>
  )
}

/** Equity in percent of the margin, or a dash while no margin is used. */
export function MarginLevel({ level }: { level: Decimal | null }) {
  const t = useTranslations('account')
  const { figures } = useLocale()
  const isLow = useMarginState() !== 'calm'
  if (level === null) return <span title={t('noMargin')}>–</span>
  // Above a thousand percent nobody needs the decimals, and they would crowd the card.
  const shown = Number(level) >= 1000 ? 0 : 2
  return (
    <bdi dir="ltr" className={isLow ? 'text-danger' : ''}>
      {figures.percent(level, { shown })}
    </bdi>
  )
}

/**
 * How far the bar is filled, 0 to 1. Above the warning level (both in percent): the part of the level that lies above it, so that
 * no margin fills the bar and the warning level empties it. From there down: what is left of the warning level.
 */
export const filledPart = (level: Decimal | null, warningLevel: Decimal): number => {
  if (level === null) return 1
  const [has, warned] = [Math.max(0, Number(level)), Number(warningLevel)]
  return has > warned ? 1 - warned / has : has / warned
}

/** One thin bar: brass while the margin level is safe, the warning colour from the warning level down. */
export function MarginBar({ level }: { level: Decimal | null }) {
  const t = useTranslations('account')
  const { figures } = useLocale()
  const info = useBasicInfo()
  const isLow = useMarginState() !== 'calm'
  return (
    <MeterBar
      label={t('marginLevel')}
      valueText={level === null ? t('noMargin') : figures.percent(level)}
      part={info ? filledPart(level, info.warningLevel) : 1}
      tone={isLow ? 'danger' : 'brass'}
    />
  )
}
