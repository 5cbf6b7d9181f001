import { KeyRound, Languages, ScrollText, Settings2, UserRoundPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { LANGUAGES } from '../../i18n/language.ts'
import { useLanguage } from '../../live/language.ts'
import { useUser } from '../../live/session.ts'
import { Card } from '../../ui/card.tsx'
import { ListLink } from '../../ui/list-link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Logout } from './logout.tsx'
import { MoreLinks } from './more-links.tsx'
import { Profile } from './profile.tsx'

type UserScreenProps = {
  /** The account's figures. */
  account: ReactNode
  /** The act that resets a demo account; shown to demo users only. */
  reset: ReactNode
}

/** The user centre: who, how the account stands, what can be set, and the way out. */
export function UserScreen({ account, reset }: UserScreenProps) {
  const t = useTranslations('user')
  const user = useUser()
  const chosen = useLanguage()
  const language = LANGUAGES.find(({ code }) => code === chosen)
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      {user ? <Profile user={user} /> : <Skeleton shape="h-14 w-full" />}
      {account}
      {user?.isDemo && (
        <Card>
          <div className="-my-3">
            <ListLink icon={UserRoundPlus} to="/register" title={t('openReal')} note={t('openRealText')} />
          </div>
        </Card>
      )}
      <Card>
        <div className="-my-3 divide-y divide-line">
          <ListLink icon={ScrollText} to="/mine/history" title={t('history')} note={t('historyText')} />
          <ListLink icon={Languages} to="/language" title={t('language')} value={language?.name} />
          <ListLink icon={KeyRound} to="/mine/password" title={t('password')} />
          <ListLink icon={Settings2} to="/mine/system" title={t('system')} note={t('systemText')} />
        </div>
      </Card>
      <MoreLinks />
      {user?.isDemo && reset}
      <Logout isDemo={user?.isDemo ?? false} />
    </div>
  )
}
