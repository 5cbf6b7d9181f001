import { useTranslations } from 'use-intl'
import type { User } from '@fairlot/contract'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { contactOf } from '../../live/session/session.ts'
import { useBasicInfo } from '../../live/basic-info.ts'

/** Log-in and registration show this when a user is logged in already. A demo user may still open a real account. */
export function AlreadyLoggedIn({ user, onGoOn }: { user: User; onGoOn: () => void }) {
  const t = useTranslations('auth')
  return (
    <Card>
      <p>{withNames(t('already', { name: asName(contactOf(user) ?? user.uid) }))}</p>
      {user.isDemo && <p className="mt-1 text-note text-second">{t('demoStays')}</p>}
      <div className="mt-4">
        <Button isWide tone={user.isDemo ? 'outline' : 'ink'} onClick={onGoOn}>
          {t('goOn')}
        </Button>
      </div>
    </Card>
  )
}

/** The broker's risk warning, with the share of losing accounts where that is published. */
export function RiskLine() {
  const text = useBasicInfo()?.riskWarning
  return text ? <p className="px-4 text-tiny text-second">{text}</p> : null
}
