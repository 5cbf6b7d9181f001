import { useTranslations } from 'use-intl'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { withNames } from '@fairlot/ui/figures/names.tsx'
import { useAlerts } from '../../../live/account/alerts.ts'
import { useKeptState } from '../../../live/session/kept-input.ts'
import { MarginAlertSheet } from './alert-form.tsx'
import { useAlertTexts } from './alert-texts.ts'
import { RemoveButton } from './alerts-screen.tsx'

/** The alerts on the margin level of the account, and a button for another one. */
export function MarginAlerts() {
  const t = useTranslations('alert')
  const texts = useAlertTexts()
  const { alerts = [] } = useAlerts()
  const [isOpen, setIsOpen] = useKeptState('new margin alert', false)
  const waiting = alerts.filter(
    ({ state, condition }) => state === 'waiting' && condition.kind === 'marginLevel',
  )
  return (
    <section aria-label={t('marginAlerts')} className="mt-2 border-t border-line pt-1">
      <ul>
        {waiting.map((alert) => (
          <li key={alert.id} className="flex items-center justify-between gap-3 text-note">
            <span>
              <bdi>{withNames(texts.condition(alert))}</bdi>{' '}
              <span className="text-second">{withNames(texts.state(alert))}</span>
            </span>
            <RemoveButton alert={alert} name={`${texts.subject(alert)} ${texts.condition(alert)}`} />
          </li>
        ))}
      </ul>
      <TextButton onClick={() => setIsOpen(true)}>{t('newMargin')}</TextButton>
      <MarginAlertSheet isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </section>
  )
}
