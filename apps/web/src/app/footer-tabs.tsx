import { CandlestickChart, ChartNoAxesColumn, Copy, ReceiptText, TextAlignStart } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useLocation } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { TabBar, TabBarItem } from '@fairlot/ui/tab-bar.tsx'

type Tab = { name: 'markets' | 'trade' | 'orders' | 'ranking' | 'copying'; to: string; icon: LucideIcon }

const TABS: readonly Tab[] = [
  { name: 'markets', to: '/', icon: TextAlignStart },
  { name: 'trade', to: '/trade', icon: CandlestickChart },
  { name: 'orders', to: '/order', icon: ReceiptText },
  { name: 'ranking', to: '/rank', icon: ChartNoAxesColumn },
  { name: 'copying', to: '/rank?tab=copy', icon: Copy },
]

/** The path shown, as the tabs name it: ranking and copying are one screen with two tabs. */
export function useTabPath(): string {
  const { pathname, search } = useLocation()
  const isCopying = new URLSearchParams(search).get('tab') === 'copy'
  return pathname === '/rank' && isCopying ? '/rank?tab=copy' : pathname
}

/** The five main screens. */
export function FooterTabs() {
  const t = useTranslations('tabs')
  const current = useTabPath()
  return (
    <TabBar label={t('label')}>
      {TABS.map(({ name, to, icon }) => (
        <TabBarItem key={name} icon={icon} label={t(name)} to={to} isCurrent={to === current} />
      ))}
    </TabBar>
  )
}
