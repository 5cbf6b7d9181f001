import {
  ArrowDownToLine,
  ArrowUpFromLine,
  BadgeCheck,
  CalendarClock,
  Gift,
  Headset,
  History,
  KeyRound,
  Languages,
  Mail,
  Megaphone,
  ScrollText,
  Settings2,
  UserRoundPlus,
  Wallet,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { LANGUAGES } from '../../i18n/language.ts'
import { useLanguage } from '../../live/device/language.ts'
import { useUser } from '../../live/auth/user.ts'
import { useChatState } from '../../live/account/chat.ts'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { ListLink } from '@fairlot/ui/list-link.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { Logout } from './logout.tsx'
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
  const screens = useTranslations('screens')
  const user = useUser()
  const chosen = useLanguage()
  const language = LANGUAGES.find(({ code }) => code === chosen)
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      {user ? <Profile user={user} /> : <Skeleton shape="h-14 w-full" />}
      {account}
      <PaymentLinks />
      {user?.isDemo && (
        <Card>
          <div className="-my-3">
            <ListLink icon={UserRoundPlus} to="/register" title={t('openReal')} note={t('openRealText')} />
          </div>
        </Card>
      )}
      <Card>
        <div className="-my-3 divide-y divide-line">
          {user && !user.isDemo && (
            <ListLink
              icon={BadgeCheck}
              to="/mine/auth"
              title={screens('auth')}
              value={t(`identity.${user.identityCheck}`)}
            />
          )}
          <ListLink icon={ScrollText} to="/mine/history" title={t('history')} note={t('historyText')} />
          <ListLink icon={History} to="/mine/activity" title={t('activity')} note={t('activityNote')} />
          <ListLink icon={CalendarClock} to="/mine/terms" title={t('terms')} note={t('termsText')} />
          <ListLink icon={Languages} to="/language" title={t('language')} value={language?.name} />
          <ListLink icon={KeyRound} to="/mine/password" title={t('password')} />
          <ListLink icon={Settings2} to="/mine/system" title={t('system')} note={t('systemText')} />
        </div>
      </Card>
      <SupportLinks />
      <MoreLinks />
      {user?.isDemo && reset}
      <Logout isDemo={user?.isDemo ?? false} />
    </div>
  )
}

const PAYMENTS = [
  { name: 'charge', to: '/mine/charge', icon: ArrowDownToLine },
  { name: 'withdraw', to: '/mine/withdraw', icon: ArrowUpFromLine },
  { name: 'wallet', to: '/mine/wallet', icon: Wallet },
] as const

/** Money in and out: for real accounts, which a demo user is told there. */
function PaymentLinks() {
  const t = useTranslations('screens')
  return (
    <Card>
      <div className="-my-3 divide-y divide-line">
        {PAYMENTS.map(({ name, to, icon }) => (
          <ListLink key={name} icon={icon} to={to} title={t(name)} />
        ))}
      </div>
    </Card>
  )
}

/** The support, with the answers that are unread, and where to complain. */
function SupportLinks() {
  const t = useTranslations()
  const unread = useChatState()?.unread ?? 0
  return (
    <Card>
      <div className="-my-3 divide-y divide-line">
        <ListLink
          icon={Headset}
          to="/mine/chat"
          title={t('screens.chat')}
          value={unread > 0 && <Badge tone="brass">{t('user.unread', { count: unread })}</Badge>}
        />
        <ListLink icon={Mail} to="/mine/email" title={t('screens.email')} />
      </div>
    </Card>
  )
}

/** The rest of the user centre. */
const LINKS = [
  { name: 'invite', to: '/mine/invite', icon: Gift },
  { name: 'announcement', to: '/mine/announcement', icon: Megaphone },
] as const

function MoreLinks() {
  const t = useTranslations('screens')
  return (
    <Card>
      <div className="-my-3 divide-y divide-line">
        {LINKS.map(({ name, to, icon }) => (
          <ListLink key={name} icon={icon} to={to} title={t(name)} />
        ))}
      </div>
    </Card>
  )
}
