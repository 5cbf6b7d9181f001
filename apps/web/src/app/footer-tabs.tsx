import { CandlestickChart, ChartNoAxesColumn, Copy, ReceiptText, TextAlignStart } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useLocation } from '@fairlot/ui/navigation/router.tsx'
import { TabBar, TabBarItem } from '@fairlot/ui/navigation/tab-bar.tsx'

type Tab = { name: 'markets' | 'trade' | 'orders' | 'ranking' | 'copying'; to: string; icon: LucideIcon }

const COPYING_PATH = '/rank?tab=copy'

const TABS: readonly Tab[] = [
  { name: 'markets', to: '/', icon: TextAlignStart },
  { name: 'trade', to: '/trade', icon: CandlestickChart },
  { name: 'orders', to: '/order', icon: ReceiptText },
  { name: 'ranking', to: '/rank', icon: ChartNoAxesColumn },
  { name: 'copying', to: COPYING_PATH, icon: Copy },
]

/** The current path as the tabs link to it: ranking and copying are two tabs of one screen. */
export function useTabPath(): string {
  const { pathname, search } = useLocation()
  const isCopying = new URLSearchParams(search).get('tab') === 'copy'
  return pathname === '/rank' && isCopying ? COPYING_PATH : pathname
}

/** Whether the address is the copying tab of the ranking. */
export const useIsCopying = (): boolean => useTabPath() === COPYING_PATH

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
