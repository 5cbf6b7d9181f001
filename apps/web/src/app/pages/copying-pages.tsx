import { useTranslations } from 'use-intl'
import { useSearchParams } from '@fairlot/ui/navigation/router.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { CopyScreen } from '../../features/copying/copy-screen.tsx'
import { parseId } from '../../features/copying/figures.tsx'
import { useCopy, useStrategy } from '../../features/copying/queries.ts'
import { StartCopyScreen } from '../../features/copying/start-copy-screen.tsx'
import { StrategyScreen } from '../../features/copying/strategy-screen.tsx'
import { BackHeader } from '../back-header.tsx'
import { ownRecord, recordOfOthers } from './order-records.tsx'

/** The id in the query of the address. */
function useId(): number | null {
  const [search] = useSearchParams()
  return parseId(search.get('id'))
}

export function StrategyPage() {
  const t = useTranslations('screens')
  const { data } = useStrategy(useId())
  return (
    <>
      <BackHeader title={data ? asName(data.name) : t('strategy')} isWide />
      <StrategyScreen renderOrder={recordOfOthers} />
    </>
  )
}

export function StartCopyPage() {
  const t = useTranslations()
  const { data } = useStrategy(useId())
  return (
    <>
      <BackHeader
        title={data ? t('copying.copyNamed', { name: asName(data.name) }) : t('screens.startCopy')}
        isWide
      />
      <StartCopyScreen />
    </>
  )
}

export function CopyPage() {
  const t = useTranslations()
  const { data } = useCopy(useId())
  return (
    <>
      <BackHeader
        title={data ? t('copying.copiedName', { name: asName(data.copy.name) }) : t('screens.copy')}
        isWide
      />
      <CopyScreen renderOrder={ownRecord} />
    </>
  )
}
