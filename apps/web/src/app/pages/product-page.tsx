import { lazy } from 'react'
import { useTranslations } from 'use-intl'
import { useBasicInfoAnswer } from '../../live/basic-info.ts'
import { BackHeader } from '../back-header.tsx'
import { ScreenSkeleton } from '../error-boundary.tsx'
import { worded } from '../worded.tsx'

const CompaniesScreen = worded(
  'reading',
  async () => (await import('../../features/company/companies-screen.tsx')).CompaniesScreen,
)
const ProductScreen = lazy(async () => ({
  default: (await import('../../features/market/product-screen.tsx')).ProductScreen,
}))

/** The search: for companies where the deployment is a directory of them, else for instruments. */
export function ProductPage() {
  const t = useTranslations('screens')
  const { data, isLoading } = useBasicInfoAnswer()
  const isDirectory = data?.appMode === 'main'
  return (
    <>
      <BackHeader title={t(isDirectory ? 'companies' : 'product')} />
      {isLoading ? <ScreenSkeleton /> : isDirectory ? <CompaniesScreen /> : <ProductScreen />}
    </>
  )
}
