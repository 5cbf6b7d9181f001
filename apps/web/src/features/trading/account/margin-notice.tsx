import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { useAccountFigures, useBasicInfo } from '../../../live/account.ts'
import { classNames } from '../../../ui/class-names.ts'
import { marginState, type MarginState } from './margin-state.ts'

/** How safe the reader's account is; calm until it is known. */
export function useMarginState(): MarginState {
  const level = useAccountFigures()?.level ?? null
  const info = useBasicInfo()
  return info ? marginState(level, info) : 'calm'
}

/** The margin call: what the level has come to, and what happens at the stop-out. Nothing while there is enough. */
export function MarginNotice() {
  const t = useTranslations('account')
  const { figures } = useSpeech()
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
