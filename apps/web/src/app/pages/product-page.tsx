import { useTranslations } from 'use-intl'
import { ProductScreen } from '../../features/market/product-screen.tsx'
import { BackHeader } from '../back-header.tsx'

export function ProductPage() {
  const t = useTranslations('screens')
  return (
    <>
      <BackHeader title={t('product')} />
      <ProductScreen />
    </>
  )
}
