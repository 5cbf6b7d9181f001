import { useTranslations } from 'use-intl'
import { OrdersScreen } from '../../features/trading/orders/orders-screen.tsx'
import { MainHeader } from '../main-header.tsx'

export function OrderPage() {
  const t = useTranslations('screens')
  return (
    <>
      <MainHeader title={t('order')} />
      <OrdersScreen />
    </>
  )
}
