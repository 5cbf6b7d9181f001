import { FolderDown, KeyRound, Languages } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { LANGUAGES } from '../../i18n/language.ts'
import { useLanguage } from '../../live/device/language.ts'
import { useUser } from '../../live/auth/user.ts'
import { useIsLoggedIn } from '../../live/auth/token.ts'
import { Card } from '@fairlot/ui/card.tsx'
import { ListLink } from '@fairlot/ui/list-link.tsx'
import { Appearance } from './appearance.tsx'
import { Logout } from './logout.tsx'
import { NoticeChoices } from './notice-choices.tsx'

type SystemScreenProps = {
  /** Second factor; for real accounts only. */
  secondFactor: ReactNode
  sessions: ReactNode
}

/** How the app looks on this device, for visitors too; and who may get in to the account. */
export function SystemScreen({ secondFactor, sessions }: SystemScreenProps) {
  const t = useTranslations()
  const user = useUser()
  const isLoggedIn = useIsLoggedIn()
  const chosen = useLanguage()
  const language = LANGUAGES.find(({ code }) => code === chosen)
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <Appearance />
      <Card>
        <div className="-my-3 divide-y divide-line">
          <ListLink icon={Languages} to="/language" title={t('user.language')} value={language?.name} />
          {user && !user.isDemo && (
            <ListLink icon={KeyRound} to="/mine/password" title={t('screens.password')} />
          )}
          {user && (
            <ListLink icon={FolderDown} to="/mine/data" title={t('screens.data')} note={t('user.dataText')} />
          )}
        </div>
      </Card>
      {user && <NoticeChoices hasMail={!user.isDemo} />}
      {user && !user.isDemo && secondFactor}
      {user && sessions}
      {isLoggedIn && <Logout isDemo={user?.isDemo ?? false} />}
    </div>
  )
}
