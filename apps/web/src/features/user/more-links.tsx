import { BadgeCheck, Gift, Headset, Landmark, Mail, Megaphone, Wallet } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Card } from '../../ui/card.tsx'
import { ListLink } from '../../ui/list-link.tsx'

const LINKS = [
  { name: 'charge', to: '/mine/charge', icon: Landmark },
  { name: 'withdraw', to: '/mine/withdraw', icon: Landmark },
  { name: 'wallet', to: '/mine/wallet', icon: Wallet },
  { name: 'auth', to: '/mine/auth', icon: BadgeCheck },
  { name: 'invite', to: '/mine/invite', icon: Gift },
  { name: 'chat', to: '/mine/chat', icon: Headset },
  { name: 'email', to: '/mine/email', icon: Mail },
  { name: 'announcement', to: '/mine/announcement', icon: Megaphone },
] as const

/** The rest of the user centre; each row says that it is still being built. */
export function MoreLinks() {
  const t = useTranslations()
  return (
    <Card>
      <div className="-my-3 divide-y divide-line">
        {LINKS.map(({ name, to, icon }) => (
          <ListLink key={name} icon={icon} to={to} title={t(`screens.${name}`)} value={t('user.soon')} />
        ))}
      </div>
    </Card>
  )
}
